/** At most so many requests in any window of so many seconds; `db/requests/rate-limit.ts` counts them. */
export interface RateLimit {
  /** As `RateLimit-Policy` names it. */
  name: string;
  requests: number;
  windowSeconds: number;
}

/** Per API key, the same for each: docs/limits.md#rate-limits. The first of a list is the one that the `X-RateLimit-*` headers speak of. */
export const KEY_LIMITS: readonly RateLimit[] = [
  { name: 'key', requests: 300, windowSeconds: 60 },
  { name: 'burst', requests: 30, windowSeconds: 1 },
];

/** What an operator may give a clinic: docs/limits.md#rate-limits */
export const REQUESTS_PER_MINUTE = { fewest: 30, most: 60_000 };

/** Of all keys of a clinic together, counted in steps of one second, as `admit_request()` reckons them. */
export function clinicLimits(requestsPerMinute: number): readonly RateLimit[] {
  return [
    { name: 'clinic', requests: requestsPerMinute, windowSeconds: 60 },
    { name: 'clinic-burst', requests: Math.max(30, Math.floor(requestsPerMinute / 30)), windowSeconds: 1 },
  ];
}

/** Per address, for requests that carry no valid key. */
export const ADDRESS_LIMITS: readonly RateLimit[] = [{ name: 'address', requests: 100, windowSeconds: 60 }];

/** Per address, for bookings, moves and cancellations of patients together: docs/self-service.md#limits */
export const CHANGES_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'self-service', requests: 40, windowSeconds: 600 },
];

/** Per address, for the times that patients hold. */
export const HOLDS_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'held-by-address', requests: 20, windowSeconds: 600 },
];

/** Per address, at the dashboard: docs/dashboard.md#limits */
export const SIGN_INS_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'sign-in', requests: 120, windowSeconds: 600 },
];
export const UNKNOWN_SESSIONS_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'unknown-sessions', requests: 300, windowSeconds: 600 },
];

/** Of a clinic's patients together, who hold each time for five minutes: so many at most are held at a time. */
export const HOLDS_OF_PATIENTS: readonly RateLimit[] = [
  { name: 'held-by-patients', requests: 30, windowSeconds: 300 },
];

/** How long nothing needs to be known of someone who sends no requests. */
export const MAX_WINDOW_SECONDS = Math.max(
  ...[
    KEY_LIMITS,
    ADDRESS_LIMITS,
    CHANGES_OF_ADDRESS,
    HOLDS_OF_ADDRESS,
    HOLDS_OF_PATIENTS,
    SIGN_INS_OF_ADDRESS,
    UNKNOWN_SESSIONS_OF_ADDRESS,
  ].flatMap((limits) => limits.map(({ windowSeconds }) => windowSeconds)),
);
