/** After the first, immediate attempt: 30 s, 5 min, 30 min, 2 h, 12 h. docs/webhooks.md#retries */
export const RETRY_DELAYS_SECONDS: readonly number[] = [30, 300, 1800, 7200, 43_200];

/**
 * When attempt `attemptNumber + 1` is due after attempt `attemptNumber` (1-based) failed at `endedAt`; null after the
 * last. No jitter, because receivers know the exact times (docs/webhooks.md#retries).
 * @param delaysSeconds the waits between attempts: `RETRY_DELAYS_SECONDS` except in a sandbox
 */
export function nextAttemptAt(attemptNumber: number, endedAt: Date, delaysSeconds: readonly number[]) {
  const delay = delaysSeconds[attemptNumber - 1];
  return delay === undefined ? null : new Date(endedAt.getTime() + delay * 1000);
}
