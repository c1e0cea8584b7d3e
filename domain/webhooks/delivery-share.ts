/**
 * How many attempts may be under way at once, so that receivers which hang hold up nobody else. An endpoint that answers
 * within 100 ms still gets 100 deliveries a second. A clinic's share is a tenth of a worker's slots for attempts, whatever
 * number of its endpoints hang.
 */
export const ATTEMPTS_AT_ONCE = { perEndpoint: 10, perClinic: 20 } as const;

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** How long a delivery waits before it asks again for an attempt that was put off `timesDeferred` (1 and up) times. */
export function deferralPauseMs(timesDeferred: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (timesDeferred - 1), LONGEST_PAUSE_MS);
}
