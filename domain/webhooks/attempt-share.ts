/** How many attempts of one kind may be under way at once in a worker process. */
export interface ShareBounds {
  /** Until receivers have shown how they answer. */
  start: number;
  /** So many are always allowed. */
  least: number;
  most: number;
}

/**
 * Shares keep a receiver that hangs from holding up anybody else. A clinic or a host has healthy endpoints beside a hanging
 * one, so their shares never shrink below the start.
 */
export const ATTEMPT_SHARES = {
  endpoint: { start: 10, least: 1, most: 64 },
  clinic: { start: 20, least: 20, most: 128 },
  host: { start: 20, least: 20, most: 128 },
} as const satisfies Record<string, ShareBounds>;

/** First attempts of all receivers together. */
export const MOST_FIRST_ATTEMPTS = 256;

/** What an attempt says about the pace its receiver can take. */
export type AnswerPace = 'quick' | 'slow' | 'failed';

const QUICK_MS = 1000;

export function answerPace(attempt: { outcome: 'succeeded' | 'failed'; durationMs: number }): AnswerPace {
  if (attempt.outcome === 'failed') return 'failed';
  return attempt.durationMs <= QUICK_MS ? 'quick' : 'slow';
}

/** Additive increase, multiplicative decrease, as in TCP (RFC 5681): a quick answer adds one, a failure halves. */
export function shareAfter(share: number, pace: AnswerPace, { least, most }: ShareBounds): number {
  if (pace === 'quick') return Math.min(share + 1, most);
  return pace === 'failed' ? Math.max(Math.floor(share / 2), least) : share;
}
