import { setTimeout as delay } from 'node:timers/promises';

/** The pauses between retries while Temporal or the database is unavailable, in milliseconds. */
export const WHILE_AWAY = { first: 250, longest: 5000 };

/** Exponential backoff after a number of failures, in the unit of `first` and `longest`; `factor` is 2 by default. */
export function backoffDelay(
  failuresBefore: number,
  { first, longest, factor = 2 }: { first: number; longest: number; factor?: number },
): number {
  return Math.min(first * factor ** failuresBefore, longest);
}

/** Waits; `signal` ends it early, so that stopping is not delayed. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
