/** At most `requests` in any window of `seconds`; counted in `db/requests/rate-limit.ts`. */
export interface RateLimit {
  /** The name in `RateLimit-Policy`. */
  name: string;
  requests: number;
  windowSeconds: number;
}

/** The limits per API key: docs/limits.md#rate-limits. The `X-RateLimit-*` headers show the first limit of the list. */
export const KEY_LIMITS: readonly RateLimit[] = [
  { name: 'key', requests: 300, windowSeconds: 60 },
  { name: 'burst', requests: 30, windowSeconds: 1 },
];

/** The range for a clinic's limit, set by operators: docs/limits.md#rate-limits */
export const REQUESTS_PER_MINUTE = { fewest: 30, most: 60_000 };

/** For all keys of a clinic together, in steps of one second, as in `admit_request()`. */
export function clinicLimits(requestsPerMinute: number): readonly RateLimit[] {
  return [
    { name: 'clinic', requests: requestsPerMinute, windowSeconds: 60 },
    { name: 'clinic-burst', requests: Math.max(30, Math.floor(requestsPerMinute / 30)), windowSeconds: 1 },
  ];
}

/** Per address, for requests without a valid key. */
export const ADDRESS_LIMITS: readonly RateLimit[] = [{ name: 'address', requests: 100, windowSeconds: 60 }];

/** Per address, for patients' bookings, moves and cancellations together: docs/self-service.md#limits */
export const CHANGES_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'self-service', requests: 40, windowSeconds: 600 },
];

/** Per address, for patients' holds. */
export const HOLDS_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'held-by-address', requests: 20, windowSeconds: 600 },
];

/** Per address, for the dashboard: docs/dashboard.md#limits */
export const SIGN_INS_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'sign-in', requests: 120, windowSeconds: 600 },
];
export const UNKNOWN_SESSIONS_OF_ADDRESS: readonly RateLimit[] = [
  { name: 'unknown-sessions', requests: 300, windowSeconds: 600 },
];

/** For a clinic's patients together. A hold lasts five minutes, so this limits the slots held at once. */
export const HOLDS_OF_PATIENTS: readonly RateLimit[] = [
  { name: 'held-by-patients', requests: 30, windowSeconds: 300 },
];

/** How long mails are counted; their subjects are kept as long. */
export const MAIL_WINDOW_SECONDS = 86_400;
/** Per email address of a patient, for all clinics together: docs/self-service.md#emails */
export const MAILS_TO_PATIENT: readonly RateLimit[] = [
  { name: 'mails-to-patient', requests: 20, windowSeconds: MAIL_WINDOW_SECONDS },
];

/** After this time without requests, a subject's counts can be deleted. */
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
