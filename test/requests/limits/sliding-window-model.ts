import type { CountedRequest } from '../../../db/requests/rate-limit.ts';
import type { RateLimit } from '../../../domain/rate-limits.ts';

/** Sliding windows the slow way: every accepted request is remembered for ever and looked at each time. */
export function slidingWindowModel(limits: readonly RateLimit[]) {
  const accepted: number[] = [];
  const countedIn = (limit: RateLimit, ms: number) =>
    accepted.filter((time) => time > ms - limit.windowSeconds * 1000);

  return (ms: number): Omit<CountedRequest, 'countedAt'> => {
    const waits = limits.map((limit) => {
      let wait = 0;
      while (countedIn(limit, ms + wait).length >= limit.requests) wait += 1;
      return wait;
    });
    const retryAfterMs = Math.max(...waits);
    if (retryAfterMs === 0) accepted.push(ms);
    const windows = limits.map((limit) => {
      const counted = countedIn(limit, ms);
      const [earliest] = counted;
      const resetsInMs = earliest === undefined ? 0 : earliest + limit.windowSeconds * 1000 - ms;
      return { limit, remaining: limit.requests - counted.length, resetsInMs };
    });
    return { isAccepted: retryAfterMs === 0, retryAfterMs, windows };
  };
}
