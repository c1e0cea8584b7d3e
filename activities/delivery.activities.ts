import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { recordAttempts } from '../commands/webhooks/record-attempts.ts';
import { findDeliveryProgress } from '../db/webhooks/deliveries/delivery-progress.ts';
import {
  findDeliveryToAttempt,
  type DeliveryToAttempt,
} from '../db/webhooks/deliveries/delivery-to-attempt.ts';
import {
  fromHeartbeat,
  madeAttempt,
  type HeartbeatOutcome,
  type Unrecorded,
  toHeartbeat,
} from '../sending/made-attempt.ts';
import {
  reportOn,
  type DeliveryInQuestion,
  type DeliveryReport,
  type AttemptInQuestion,
  type AttemptReport,
} from '../sending/delivery-report.ts';
import { answerPace } from '../domain/webhooks/attempt-share.ts';
import { isFinal } from '../domain/webhooks/delivery-status.ts';
import { momentNow, type Moment, msSince } from '../adapters/timing/moment.ts';
import { hastenDelivery } from '../db/webhooks/deliveries/hasten-deliveries.ts';
import { skipDeliveries } from '../db/webhooks/deliveries/delivery-steps.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { ASK_AGAIN, type DeferredRetries } from './deferred-retries.ts';
import { isEndpointOff, stillCounts, type SendAttempt } from '../sending/send-attempt.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import { backoffDelay, pause, WHILE_AWAY } from '../adapters/timing/pause.ts';
import { isPassingFailure } from '../db/connection/database-errors.ts';

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

export function createDeliveryActivities(dependencies: AttemptDependencies) {
  const { database } = dependencies;
  return {
    /**
     * Makes attempt `number` and reports the delivery. If the attempt was already made, is not due, or the delivery is
     * final, it only reports.
     */
    attemptDelivery: createDeliveryAttempt(dependencies),
    /** Records an attempt that was made while the database was unavailable. */
    async recordAttempt(input: DeliveryInQuestion & { made: HeartbeatOutcome }): Promise<DeliveryReport> {
      const { clinicId, deliveryId, made } = input;
      const delivery = await findDeliveryToAttempt(database.em(), clinicId, deliveryId);
      if (!delivery) return reportOn(null);
      const { number, outcome } = fromHeartbeat(made);
      const attempt = madeAttempt(delivery, number, outcome);
      const progress = await recordAttempts(database.em(), [attempt]);
      return reportOn(progress.get(deliveryId) ?? null);
    },
    /** Reports the state of the delivery. */
    reviewDelivery: async ({ clinicId, deliveryId }: DeliveryInQuestion): Promise<DeliveryReport> =>
      reportOn(await findDeliveryProgress(database.em(), clinicId, deliveryId)),
  };
}

interface AttemptDependencies extends Pick<ActivityDependencies, 'database' | 'logger'> {
  send: SendAttempt;
  retries: DeferredRetries;
}

/** How many reads may fail. Then the activity fails, and Temporal retries it later. */
const MAX_READS = 3;

/**
 * Makes the attempt with this number only once, and not before it is due. An attempt that is already recorded is not
 * sent again, and the result is recorded before anything else. One gap remains: if the process is killed between the
 * response and the row, the same attempt is sent again.
 */
function createDeliveryAttempt(dependencies: AttemptDependencies) {
  const { database } = dependencies;
  const attempt = async (
    input: AttemptInQuestion,
    beating: Beating,
    readsLeft = MAX_READS,
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
    const isDue = dueInMs === null || dueInMs <= 0;
    if (!isDue && !input.isWantedNow) return reportOn(delivery.progress, { notDueForMs: Math.ceil(dueInMs) });
    const { pausedForMs } = delivery;
    if (pausedForMs !== null && pausedForMs > 0) return waitForPause(attemptCount, pausedForMs);
    if (!isDue) {
      await hastenDelivery(database.em(), input.clinicId, input.deliveryId);
      return attempt({ ...input, isWantedNow: false }, beating, readsLeft);
    }
    if (stillCounts(askedAt)) return makeAttempt(dependencies, delivery, { askedAt, wasPutOff, beating });
    if (readsLeft === 1) throw new Error('the database responds too slowly to begin an attempt');
    return attempt(input, beating, readsLeft - 1);
  };
  // The time in which this worker may send starts with the activity, as Temporal's heartbeat timeout does.
  return (input: AttemptInQuestion) => heartbeatWhile((beating) => attempt(input, beating));
}

function waitForPause(attempts: number, pausedForMs: number): AttemptReport {
  const askAgainMs = Math.ceil(Math.min(pausedForMs, ASK_AGAIN.mostMs));
  return { status: 'deferred', attempts, askAgainMs, isPaused: true };
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

/** Skips a delivery, unless it is final. */
async function skip({ database }: AttemptDependencies, { clinicId, deliveryId }: DeliveryInQuestion) {
  await skipDeliveries(database.em(), [deliveryId]);
  return reportOn(await findDeliveryProgress(database.em(), clinicId, deliveryId));
}

async function record(
  { database, logger }: AttemptDependencies,
  delivery: DeliveryToAttempt,
  made: Unrecorded,
): Promise<DeliveryReport> {
  const attempt = madeAttempt(delivery, made.number, made.outcome);
  const progress = await untilRecorded(made, logger.child({ deliveryId: delivery.deliveryId }), () =>
    recordAttempts(database.em(), [attempt]),
  );
  return reportOn(progress.get(delivery.deliveryId) ?? null);
}

/** Well below the heartbeat timeout. Heartbeats are sent during the whole attempt: read, POST and record. */
const HEARTBEAT_EVERY_MS = 2000;

/** An activity that sends heartbeats. */
interface Beating {
  /** Sent with each heartbeat. */
  made: Unrecorded | null;
  /** False when heartbeats failed for so long that Temporal may have given the attempt to another worker. */
  isOurs: () => boolean;
}

/**
 * Tells Temporal that the activity is alive for as long as `work` takes. Once an attempt was made, heartbeats contain
 * its outcome, so that another worker can record it when this one is stopped or dies.
 */
export async function heartbeatWhile<T>(work: (beating: Beating) => Promise<T>): Promise<T> {
  const context = Context.current();
  const { heartbeatTimeoutMs = Infinity } = context.info;
  let [lastBeat, wasLate] = [momentNow(), false];
  const isLate = () => wasLate || msSince(lastBeat) >= heartbeatTimeoutMs;
  const beating: Beating = { made: null, isOurs: () => !isLate() };
  const beat = () => {
    [wasLate, lastBeat] = [isLate(), momentNow()];
    context.heartbeat(beating.made && toHeartbeat(beating.made));
  };
  const interval = setInterval(beat, HEARTBEAT_EVERY_MS);
  try {
    return await work(beating);
  } finally {
    clearInterval(interval);
  }
}

/** The outcome of this attempt from an earlier run of the activity that could not record it; null if there is none. */
function outcomeOfEarlierRun(number: number): Unrecorded | null {
  const details: HeartbeatOutcome | null | undefined = Context.current().info.heartbeatDetails;
  return details?.number === number ? fromHeartbeat(details) : null;
}

/**
 * Retries `write` while the database is unavailable, because the receiver must not get the same attempt twice. Any
 * other error fails this run of the activity; the next run finds the outcome in the heartbeat.
 */
async function untilRecorded<T>(made: Unrecorded, logger: Logger, write: () => Promise<T>) {
  const context = Context.current();
  for (let failures = 0; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      logger.warn({ err: error, attempt: made.number }, 'delivery.attempt_unrecorded');
      context.heartbeat(toHeartbeat(made));
      if (!isPassingFailure(error)) throw error;
    }
    const [restMs, signal] = [backoffDelay(failures, WHILE_AWAY), context.cancellationSignal];
    // A stopping worker ends the pause early; a cancelled workflow does not stop the write.
    await (signal.aborted ? delay(restMs) : pause(restMs, signal));
    if (context.cancellationDetails?.workerShutdown)
      throw ApplicationFailure.retryable(
        'This worker is stopping. Another worker records the attempt',
        'WorkerStopped',
      );
  }
}
