import {
  condition,
  continueAsNew,
  defineSignal,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  type ActivityOptions,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type {
  AttemptReport,
  DeliveryInQuestion,
  DeliveryReport,
  FinalStatus,
} from '../sending/delivery-report.ts';
import type { DeliveryActivities } from '../activities/delivery.activities.ts';
import type { HeartbeatOutcome } from '../sending/made-attempt.ts';
import { RETRY_NOW_SIGNAL, ROOM_SIGNAL, STOP_SIGNAL } from '../domain/temporal-names.ts';
import { DELIVERY_WAITS_AS_TOLD } from './patches.ts';
import { DELIVERY_ATTEMPT, DELIVERY_STATUS, NEXT_ATTEMPT_AT } from './search-attribute-keys.ts';

const retryNowSignal = defineSignal<[RetryNow?]>(RETRY_NOW_SIGNAL);
const roomSignal = defineSignal(ROOM_SIGNAL);
const stopSignal = defineSignal(STOP_SIGNAL);

/**
 * The retry policy of activities. Activities throw only for faults in this service, which never change the schedule of
 * attempts.
 */
const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' } as const;

const ATTEMPT: ActivityOptions = {
  // While the database is unavailable, the activity keeps trying to record the receiver's response.
  startToCloseTimeout: '1 hour',
  // Heartbeats come every two seconds. Without them the worker counts as dead and the attempt is made again.
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
};

const { attemptDelivery } = proxyActivities<DeliveryActivities>(ATTEMPT);
const { reviewDelivery } = proxyActivities<DeliveryActivities>({
  // One short database query.
  startToCloseTimeout: '30 seconds',
  retry: RETRY,
  summary: 'Look whether the delivery was stopped',
});
const { recordAttempt } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '30 seconds',
  // Retry soon after the database is back, so that the attempt is recorded without delay.
  retry: { ...RETRY, maximumInterval: '1 second' },
  summary: 'Record an attempt that was made while the database was away',
});

/** After this many deferrals the workflow continues as new, to keep its history short. */
const MAX_DEFERRALS_IN_A_RUN = 100;
/**
 * A worker that defers an attempt sends a signal when a slot is free. If that worker is killed, the workflow asks again
 * after this time.
 */
const ASK_AGAIN_MS = 30_000;

/**
 * The service makes the row due before it sends the signal, so a repeated signal does nothing. Without an attempt
 * number the signal comes from an operator in the Temporal UI, and the attempt is made even if it is not due.
 */
export interface RetryNow {
  isDue: true;
}

export interface DeliveryInput extends DeliveryInQuestion {
  /** The report after the first attempt, if it was made before this workflow started. */
  first?: DeliveryReport;
  /** An attempt that was made while the database was unavailable. */
  unrecorded?: HeartbeatOutcome;
}

export interface DeliveryResult {
  outcome: FinalStatus;
  attempts: number;
}

/**
 * Makes the attempts of one delivery after the first. The schedule is stored in rows: whenever this workflow starts, it
 * continues from the recorded attempts. docs/webhooks.md#retries
 */
export async function webhookDelivery(input: DeliveryInput): Promise<DeliveryResult> {
  const delivery = { deliveryId: input.deliveryId, clinicId: input.clinicId };
  const asked = handleSignals();
  const attempt = async (soFar: AttemptsSoFar) => {
    const { isWantedNow } = asked;
    [asked.toRetry, asked.isWantedNow] = [false, false];
    const [number, summary] = [soFar.attempts + 1, nextAttempt(soFar)];
    setCurrentDetails(`Under way: ${summary}`);
    const ask = (wasPutOff: boolean) =>
      attemptDelivery.executeWithOptions({ ...ATTEMPT, summary }, [
        { ...delivery, number, wasPutOff, isWantedNow },
      ]);
    const made = await untilMade(ask, asked, delivery);
    // A signal that arrived during the attempt was meant for this attempt.
    asked.isWantedNow = false;
    return made;
  };
  const firstReport = () =>
    input.unrecorded ? recordAttempt({ ...delivery, made: input.unrecorded }) : attempt(NO_ATTEMPT);

  setCurrentDetails('Recording the first attempt');
  let report = input.first ?? (await firstReport());
  // The start of the workflow already set what the first report contains.
  let shown = showProgress(report, { before: false, isNew: !input.first });
  while (report.status === 'retrying') {
    await waitUntil(report, () => asked.toRetry || asked.toStop);
    if (asked.toStop) {
      asked.toStop = false;
      report = await reviewDelivery(delivery);
    } else {
      report = await attempt(report);
    }
    shown = showProgress(report, { before: shown, isNew: true });
  }
  setCurrentDetails(
    `Ended: ${report.status} after ${report.attempts} attempts. The last: ${report.lastOutcome}`,
  );
  return { outcome: report.status, attempts: report.attempts };
}

/** Handles signals. Returns flags for what was requested; the code that acts on a flag resets it. */
function handleSignals() {
  const asked = { toRetry: false, isWantedNow: false, toStop: false, room: false };
  const retryNow = (sent?: RetryNow) => {
    asked.toRetry = true;
    asked.isWantedNow ||= sent?.isDue !== true;
  };
  setHandler(retryNowSignal, retryNow, {
    description: 'Make the next attempt now. It uses the next number and adds no attempt.',
  });
  setHandler(roomSignal, () => void (asked.room = true), {
    description: 'Sent by the worker: the endpoint has room for the attempt that was put off.',
  });
  setHandler(stopSignal, () => void (asked.toStop = true), {
    description: 'Sent by the service: read the row again, the delivery may have been skipped.',
  });
  return asked;
}

/**
 * Requests the attempt until it is no longer deferred. A deferral does not count as an attempt. A stop takes effect
 * immediately, because the rows are read before an attempt is deferred.
 */
async function untilMade(
  ask: (wasPutOff: boolean) => Promise<AttemptReport>,
  asked: { toStop: boolean; room: boolean },
  input: DeliveryInput,
): Promise<DeliveryReport> {
  for (let deferrals = 1; ; deferrals += 1) {
    asked.room = false;
    const report = await ask(deferrals > 1);
    if (report.status !== 'deferred') return report;
    const cause = report.isPaused ? 'is paused' : 'has its share of attempts under way';
    const waits = `Attempt ${report.attempts + 1} waits: the endpoint ${cause}`;
    setCurrentDetails(waits);
    if (deferrals >= MAX_DEFERRALS_IN_A_RUN) await continueAsNew<typeof webhookDelivery>(input);
    const { askAgainMs = ASK_AGAIN_MS } = report;
    await condition(() => asked.toStop || asked.room, askAgainMs, { summary: waits });
    asked.toStop = false;
  }
}

type Retrying = Extract<DeliveryReport, { status: 'retrying' }>;

async function waitUntil(report: Retrying, isAsked: () => boolean): Promise<void> {
  const waitMs = restMs(report);
  if (waitMs <= 0) return;
  await condition(isAsked, waitMs, { summary: `${nextAttempt(report)}, at ${report.nextAttemptAt}` });
}

/**
 * How long to wait. The remaining time given by the database has priority over Temporal's clock, because the two clocks
 * may differ.
 */
function restMs({ nextAttemptAt, notDueForMs }: Retrying): number {
  if (notDueForMs !== undefined && patched(DELIVERY_WAITS_AS_TOLD)) return notDueForMs;
  return Date.parse(nextAttemptAt) - Date.now();
}

type AttemptsSoFar = Pick<DeliveryReport, 'attempts' | 'lastOutcome'>;

const NO_ATTEMPT: AttemptsSoFar = { attempts: 0, lastOutcome: 'none' };

/** For summaries that operators read: `Attempt 3, after http_5xx (500)`. */
function nextAttempt({ attempts, lastOutcome }: AttemptsSoFar): string {
  return attempts === 0 ? 'Attempt 1' : `Attempt ${attempts + 1}, after ${lastOutcome}`;
}

/**
 * Shows operators the state of a delivery. Search attributes are written from the first failure on, so a delivery that
 * succeeds at once costs none. Returns whether they were written.
 * @param isNew false when the start of the workflow set the attributes
 */
function showProgress(report: DeliveryReport, { before, isNew }: { before: boolean; isNew: boolean }) {
  if (report.status === 'succeeded' && !before) return false;
  const nextAttemptAt = report.status === 'retrying' ? report.nextAttemptAt : null;
  if (isNew) {
    upsertSearchAttributes([
      { key: DELIVERY_STATUS, value: report.status },
      { key: DELIVERY_ATTEMPT, value: report.attempts },
      { key: NEXT_ATTEMPT_AT, value: nextAttemptAt === null ? null : new Date(nextAttemptAt) },
    ]);
  }
  if (nextAttemptAt !== null) {
    setCurrentDetails(`Attempt ${report.attempts}: ${report.lastOutcome}. Next attempt at ${nextAttemptAt}`);
  }
  return true;
}
