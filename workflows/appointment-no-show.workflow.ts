import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { NoShowActivities, NoShowOutcome } from '../activities/no-show.activities.ts';
import { CANCELLED_SIGNAL, CHECKED_IN_SIGNAL, RESCHEDULED_SIGNAL } from '../domain/temporal-names.ts';
import { DATABASE_RETRY } from './database-retry.ts';
import { NO_SHOW_IS_DUE_NO_MORE, wasPatched } from './patches.ts';
import { NEXT_ATTEMPT_AT } from './search-attribute-keys.ts';

const checkedInSignal = defineSignal(CHECKED_IN_SIGNAL);
const cancelledSignal = defineSignal(CANCELLED_SIGNAL);
const rescheduledSignal = defineSignal(RESCHEDULED_SIGNAL);

const { markNoShow } = proxyActivities<NoShowActivities>({
  // The activity is one short transaction. If it takes longer, the worker has stopped.
  startToCloseTimeout: '30 seconds',
  retry: DATABASE_RETRY,
  summary: 'Mark the no-show unless the appointment is settled',
});

export interface NoShowInput {
  appointmentId: string;
  clinicId: string;
  /** When the grace period ends, in ISO 8601. */
  dueAt: string;
}

export interface NoShowResult {
  outcome: NoShowOutcome;
}

/** After this time the run continues as new, so that no code version has to be kept for longer. */
const MAX_WAIT_MS = 30 * 24 * 3600 * 1000;

/**
 * Waits until the grace period ends, then asks the database to mark the no-show. The row decides, so a lost, late or
 * repeated signal does no harm.
 */
export async function appointmentNoShow(input: NoShowInput): Promise<NoShowResult> {
  const { appointmentId, clinicId, dueAt } = input;
  const settled: { as: NoShowOutcome | null } = { as: null };
  setHandler(checkedInSignal, () => void (settled.as ??= 'checked_in'), {
    description: 'Sent by the service: the patient has checked in, and the wait ends.',
  });
  setHandler(cancelledSignal, () => void (settled.as ??= 'cancelled'), {
    description: 'Sent by the service: the appointment was cancelled, and the wait ends.',
  });
  setHandler(rescheduledSignal, () => void (settled.as ??= 'rescheduled'), {
    description:
      'Sent by the service: the appointment was moved, and its replacement has a timer of its own.',
  });

  let waitMs = Date.parse(dueAt) - Date.now();
  for (;;) {
    await waitForSettlement(settled, Math.min(waitMs, MAX_WAIT_MS));
    if (settled.as) return finished(settled.as);
    if (waitMs > MAX_WAIT_MS) await continueAsNew<typeof appointmentNoShow>(input);
    setCurrentDetails('Due: the database is asked to mark the no-show');
    const found = await markNoShow({ appointmentId, clinicId });
    if ('outcome' in found) return finished(found.outcome);
    waitMs = found.notDueForMs;
  }
}

async function waitForSettlement(settled: { as: NoShowOutcome | null }, waitMs: number): Promise<void> {
  if (waitMs <= 0) return;
  const until = new Date(Date.now() + waitMs).toISOString();
  setCurrentDetails(`Waiting for a check-in until ${until}`);
  await condition(() => settled.as !== null, waitMs, { summary: `No-show at ${until}` });
}

function finished(outcome: NoShowOutcome): NoShowResult {
  setCurrentDetails(`Ended: ${outcome}`);
  if (wasPatched(NO_SHOW_IS_DUE_NO_MORE)) upsertSearchAttributes([{ key: NEXT_ATTEMPT_AT, value: null }]);
  return { outcome };
}
