/**
 * How many attempts may be under way at once in a worker process, so that a receiver that hangs holds up no one else:
 * docs/decisions/0011-shares-of-attempts.md
 */
export const ATTEMPT_SHARES = {
  /** To one endpoint: until its receiver has shown how it answers, always, and at most. */
  endpoint: { start: 10, least: 1, most: 64 },
  /** To the endpoints of one clinic or at one host together: those that have proven themselves stand apart from the others. */
  unproven: 20,
  proven: 512,
} as const;

/** First attempts of all receivers together. */
export const MAX_FIRST_ATTEMPTS = 1024;

/** What an attempt says about the pace its receiver can take. */
export type AnswerPace = 'quick' | 'slow' | 'failed';

const QUICK_MS = 1000;

export function answerPace(attempt: { outcome: 'succeeded' | 'failed'; durationMs: number }): AnswerPace {
  if (attempt.outcome === 'failed') return 'failed';
  return attempt.durationMs <= QUICK_MS ? 'quick' : 'slow';
}

/**
 * Additive increase, multiplicative decrease, as in TCP (RFC 5681): a success adds one, a failure halves. Beyond the start
 * only quick answers lead; receivers may take five seconds, and are no worse for it.
 */
export function shareAfter(share: number, pace: AnswerPace): number {
  const { start, least, most } = ATTEMPT_SHARES.endpoint;
  if (pace === 'failed') return Math.max(Math.floor(share / 2), least);
  if (pace === 'slow' && share >= start) return share;
  return Math.min(share + 1, most);
}

/** Whether an endpoint has answered quickly more often than it has failed. */
export function isProven(share: number): boolean {
  return share > ATTEMPT_SHARES.endpoint.start;
}
