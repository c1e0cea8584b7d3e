import { setTimeout as delay } from 'node:timers/promises';

/** Between tries while Temporal or the database is away, in milliseconds. */
export const WHILE_AWAY = { first: 250, longest: 5000 };

/**
 * How long to rest after a failure that came after so many others, in the unit of `first` and `longest`: `factor` times as
 * long after each, twice by default.
 */
export function backoffDelay(
  failuresBefore: number,
  { first, longest, factor = 2 }: { first: number; longest: number; factor?: number },
): number {
  return Math.min(first * factor ** failuresBefore, longest);
}

/** Rests; `signal` ends it early, so that anyone who stops need not wait it out. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
