import { answerPace } from '../domain/webhooks/attempt-share.ts';
import { isFinal } from '../domain/webhooks/delivery-status.ts';
import { momentNow, type Moment } from '../adapters/timing/moment.ts';
import { recordAttempts } from '../commands/webhooks/record-attempts.ts';
import { hastenDelivery } from '../db/webhooks/deliveries/hasten-deliveries.ts';
import { skipDeliveries } from '../db/webhooks/deliveries/delivery-steps.ts';
import { findDeliveryProgress } from '../db/webhooks/deliveries/delivery-progress.ts';
import {
  findDeliveryToAttempt,
  type DeliveryToAttempt,
} from '../db/webhooks/deliveries/delivery-to-attempt.ts';
import {
  reportOn,
  type AttemptInQuestion,
  type AttemptReport,
  type DeliveryInQuestion,
  type DeliveryReport,
} from '../sending/delivery-report.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import type { PutOffRetries } from './put-off-retries.ts';
import { isEndpointOff, stillCounts, type SendAttempt } from '../sending/send-attempt.ts';
import { madeAttempt, type Unrecorded } from '../sending/made-attempt.ts';
import { beatWhile, outcomeOfEarlierRun, untilRecorded, type Beating } from './until-recorded.ts';

export interface AttemptDependencies extends Pick<ActivityDependencies, 'database' | 'timings' | 'logger'> {
  send: SendAttempt;
  retries: PutOffRetries;
}

/** Then the activity fails, and is tried again later. */
const MOST_READS = 3;

/**
 * One numbered attempt, made once and not before it is due: what the rows already know is not sent again, and what the
 * receiver answered is written down before anything else. One window remains: a process that is killed between the answer
 * and the row sends the same attempt once more.
 */
export function createDeliveryAttempt(dependencies: AttemptDependencies) {
  const { database } = dependencies;
  const attempt = async (
    input: AttemptInQuestion,
    beating: Beating,
    readsLeft = MOST_READS,
  ): Promise<AttemptReport> => {
    const { number, wasPutOff = false } = input;
    const askedAt = momentNow();
    const delivery = await findDeliveryToAttempt(database.em(), input.clinicId, input.deliveryId);
    if (!delivery || delivery.progress.attemptCount >= number) return reportOn(delivery?.progress ?? null);
    const { attemptCount, status, dueInMs } = delivery.progress;
    const left = outcomeOfEarlierRun(attemptCount + 1);
    if (left) return record(dependencies, delivery, left);
    if (isFinal(status)) return reportOn(delivery.progress);
    if (isEndpointOff(delivery)) return skip(dependencies, input);
    if (dueInMs !== null && dueInMs > 0) {
      if (!input.isWantedNow) return reportOn(delivery.progress, { notDueForMs: Math.ceil(dueInMs) });
      await hastenDelivery(database.em(), input.clinicId, input.deliveryId);
      return attempt({ ...input, isWantedNow: false }, beating, readsLeft);
    }
    if (stillCounts(askedAt)) return makeAttempt(dependencies, delivery, { askedAt, wasPutOff, beating });
    if (readsLeft === 1) throw new Error('the database answers too slowly for an attempt to begin');
    return attempt(input, beating, readsLeft - 1);
  };
  // Temporal counts the heartbeat's time from the start of the activity, and so does the right to send.
  return (input: AttemptInQuestion) => beatWhile((beating) => attempt(input, beating));
}

async function makeAttempt(
  dependencies: AttemptDependencies,
  delivery: DeliveryToAttempt,
  { askedAt, wasPutOff, beating }: { askedAt: Moment; wasPutOff: boolean; beating: Beating },
): Promise<AttemptReport> {
  const { retries, send } = dependencies;
  const { deliveryId, tenantId: clinicId, endpointId, host } = delivery;
  const { attemptCount: attempts } = delivery.progress;
  const begun = retries.begin({ deliveryId, wasPutOff }, { endpointId, clinicId, host });
  if ('askAgainMs' in begun) return { status: 'deferred', attempts, ...begun };
  const { end } = begun;
  const right = { askedAt, isOurs: beating.isOurs };
  const outcome = await send(delivery, attempts + 1, right).catch((error: unknown) => {
    end(null);
    throw error;
  });
  end(answerPace(outcome));
  beating.made = { number: attempts + 1, outcome };
  return record(dependencies, delivery, beating.made);
}

/** A delivery that is final already stays as it is. */
async function skip({ database }: AttemptDependencies, { clinicId, deliveryId }: DeliveryInQuestion) {
  await skipDeliveries(database.em(), [deliveryId]);
  return reportOn(await findDeliveryProgress(database.em(), clinicId, deliveryId));
}

async function record(
  { database, timings, logger }: AttemptDependencies,
  delivery: DeliveryToAttempt,
  made: Unrecorded,
): Promise<DeliveryReport> {
  const attempt = madeAttempt(delivery, made.number, made.outcome);
  const progress = await untilRecorded(made, logger.child({ deliveryId: delivery.deliveryId }), () =>
    recordAttempts(database.em(), [attempt], timings),
  );
  return reportOn(progress.get(delivery.deliveryId) ?? null);
}
