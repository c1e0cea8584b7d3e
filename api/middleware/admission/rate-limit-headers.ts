import type { CountedRequest } from '../../../db/requests/rate-limit.ts';

/**
 * `RateLimit-Policy` and `RateLimit` of the IETF draft (draft-ietf-httpapi-ratelimit-headers, structured fields), and
 * the older `X-RateLimit-*` for the window of a minute. `Retry-After` is with the refusal, in `admit.ts`. Waiting until a reset, which is rounded up, frees at least one
 * request.
 */
export function rateLimitHeaders({ countedAt, windows }: CountedRequest): Record<string, string> {
  const [first] = windows;
  if (!first) return {};
  const resetAtMs = countedAt.getTime() + first.resetsInMs;
  return {
    'RateLimit-Policy': windows
      .map(({ limit: { name, requests, windowSeconds } }) => `"${name}";q=${requests};w=${windowSeconds}`)
      .join(', '),
    RateLimit: windows
      .map(
        ({ limit, remaining, resetsInMs }) => `"${limit.name}";r=${remaining};t=${wholeSeconds(resetsInMs)}`,
      )
      .join(', '),
    'X-RateLimit-Limit': String(first.limit.requests),
    'X-RateLimit-Remaining': String(first.remaining),
    'X-RateLimit-Reset': String(wholeSeconds(resetAtMs)),
  };
}

/** Rounded up, so that a client that waits as long as it is told is never too early. */
export function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
