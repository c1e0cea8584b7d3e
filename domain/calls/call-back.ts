import type { CallOutcome } from './call.ts';

/** Outcomes after which the caller's request is still open: docs/dashboard.md#calls */
const OUTCOMES_TO_RETURN: readonly CallOutcome[] = ['handoff_to_human', 'voicemail', 'abandoned'];

/** For how many days a call back is suggested. */
const DAYS_TO_RETURN = 14;
const DAY_MS = 86_400_000;

/** The earliest start of a call that may need a call back. */
export function callBacksSince(now: Date): Date {
  return new Date(now.getTime() - DAYS_TO_RETURN * DAY_MS);
}

/** Whether staff should call the caller back. */
export function needsCallBack(
  call: { outcome: CallOutcome | null; startedAt: Date; calledBackAt: Date | null },
  now: Date,
): boolean {
  const { outcome, startedAt, calledBackAt } = call;
  if (outcome === null || calledBackAt !== null) return false;
  return OUTCOMES_TO_RETURN.includes(outcome) && startedAt >= callBacksSince(now);
}
