/** Headers that a response may declare, as the OpenAPI document describes them. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request in error bodies, logs and the timeline.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description: 'The version of the resource; send it back in `If-Match` to change only what you have read.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9]+"$' },
  },
  'Content-Range': {
    description: 'Which bytes of the whole these are (RFC 9110, section 14.4).',
    required: true,
    schema: { type: 'string', pattern: '^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$' },
  },
  'Accept-Ranges': {
    description: 'Parts can be asked for with `Range`.',
    required: true,
    schema: { type: 'string', const: 'bytes' },
  },
  'Cache-Control': {
    description: 'Who may keep the answer.',
    required: true,
    schema: { type: 'string' },
  },
  Location: {
    description: 'Where the new resource is found.',
    required: true,
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Whole seconds to wait before trying again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Policy': {
    description:
      'The limits that the request counted against: requests (`q`) in a sliding window of seconds (`w`).',
    required: false,
    schema: { type: 'string', examples: ['"key";q=300;w=60, "burst";q=30;w=1'] },
  },
  RateLimit: {
    description:
      'For each limit the requests that remain (`r`) and the seconds until one more is free (`t`).',
    required: false,
    schema: { type: 'string', examples: ['"key";r=299;t=60, "burst";r=29;t=1'] },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in any 60 seconds.',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that remain in the last 60 seconds.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When one more request is free, in seconds since 1970.',
    required: false,
    schema: { type: 'integer' },
  },
  'Idempotency-Replayed': {
    description:
      '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

/** What every answer to an authenticated request says, unless RATE_LIMITS_DISABLED. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies ResponseHeader[];

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
