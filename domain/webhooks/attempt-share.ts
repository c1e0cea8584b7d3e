/**
 * Concurrency limits of attempts in a worker process, so that a hanging receiver does not delay others:
 * docs/decisions/0011-shares-of-attempts.md
 */
export const ATTEMPT_SHARES = {
  /** The limit of an endpoint: at first, at least and at most. */
  endpoint: { start: 10, least: 1, most: 64 },
  /** For the endpoints of one clinic or host together; proven endpoints have a separate limit. */
  unproven: 20,
  proven: 512,
} as const;

/** First attempts to all receivers. */
export const MAX_FIRST_ATTEMPTS = 1024;

/** What the result of an attempt shows about the receiver's capacity. */
export type AnswerPace = 'quick' | 'slow' | 'failed';

const QUICK_MS = 1000;

export function answerPace(attempt: { outcome: 'succeeded' | 'failed'; durationMs: number }): AnswerPace {
  if (attempt.outcome === 'failed') return 'failed';
  return attempt.durationMs <= QUICK_MS ? 'quick' : 'slow';
}

/**
 * Additive increase, multiplicative decrease, as in TCP (RFC 5681): a success adds one, a failure halves. Above the
 * start value, only quick responses increase the limit. Receivers may take five seconds without a penalty.
 */
export function shareAfter(share: number, pace: AnswerPace): number {
  const { start, least, most } = ATTEMPT_SHARES.endpoint;
  if (pace === 'failed') return Math.max(Math.floor(share / 2), least);
  if (pace === 'slow' && share >= start) return share;
  return Math.min(share + 1, most);
}

/** Whether an endpoint has had more quick responses than failures. */
export function isProven(share: number): boolean {
  return share > ATTEMPT_SHARES.endpoint.start;
}
