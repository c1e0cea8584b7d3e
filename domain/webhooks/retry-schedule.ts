/** After the first attempt, which is made at once: 30 s, 5 min, 30 min, 2 h, 12 h. docs/webhooks.md#retries */
export const RETRY_DELAYS_SECONDS: readonly number[] = [30, 300, 1800, 7200, 43_200];

/**
 * When attempt `attemptNumber + 1` is due, given that `attemptNumber` (1-based) ended in failure at `endedAt`;
 * null when the schedule is used up. No jitter: receivers are told the exact times (docs/webhooks.md#retries).
 * @param delaysSeconds the waits between the attempts: `RETRY_DELAYS_SECONDS` unless a sandbox has others
 */
export function nextAttemptAt(attemptNumber: number, endedAt: Date, delaysSeconds: readonly number[]) {
  const delay = delaysSeconds[attemptNumber - 1];
  return delay === undefined ? null : new Date(endedAt.getTime() + delay * 1000);
}
