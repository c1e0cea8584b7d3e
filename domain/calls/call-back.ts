import type { CallOutcome } from './call.ts';

/** After these no one has done yet what the caller rang for: docs/dashboard.md#calls */
const OUTCOMES_TO_RETURN: readonly CallOutcome[] = ['handoff_to_human', 'voicemail', 'abandoned'];

/** Anyone who was not called back by then has been forgotten, or has called again. */
const DAYS_TO_RETURN = 14;
const DAY_MS = 86_400_000;

/** Calls that began earlier need no call back any more. */
export function callBacksSince(now: Date): Date {
  return new Date(now.getTime() - DAYS_TO_RETURN * DAY_MS);
}

/** Whether someone of the clinic is to call the caller. */
export function needsCallBack(
  call: { outcome: CallOutcome | null; startedAt: Date; calledBackAt: Date | null },
  now: Date,
): boolean {
  const { outcome, startedAt, calledBackAt } = call;
  if (outcome === null || calledBackAt !== null) return false;
  return OUTCOMES_TO_RETURN.includes(outcome) && startedAt >= callBacksSince(now);
}
