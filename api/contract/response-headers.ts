/** Headers that a response may declare, as the OpenAPI document describes them. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': always('Identifies this request in error bodies, logs and the timeline.', {
    type: 'string',
    format: 'uuid',
  }),
  ETag: always('The version of the resource. Send it in `If-Match` to change only that version.', {
    type: 'string',
    pattern: '^"[0-9]+"$',
  }),
  'Content-Range': always('Which bytes of the recording the response contains (RFC 9110, section 14.4).', {
    type: 'string',
    pattern: '^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$',
  }),
  'Accept-Ranges': always('You can request parts with `Range`.', { type: 'string', const: 'bytes' }),
  'Cache-Control': always('Who may cache the response.', { type: 'string' }),
  Location: always('The path of the new resource.', { type: 'string' }),
  'WWW-Authenticate': always('How to authenticate (RFC 6750).', { type: 'string' }),
  'Retry-After': always('Seconds to wait before you try again.', { type: 'integer', minimum: 0 }),
  'RateLimit-Policy': sometimes(
    'The limits that apply: the number of requests (`q`) in a sliding window of `w` seconds. `key` and `burst` are the limits of ' +
      'the key; `clinic` and `clinic-burst` are the limits of all keys of the clinic together.',
    {
      type: 'string',
      examples: ['"key";q=300;w=60, "burst";q=30;w=1, "clinic";q=3000;w=60, "clinic-burst";q=100;w=1'],
    },
  ),
  RateLimit: sometimes(
    'For each limit: the remaining requests (`r`), and the seconds until another request is allowed (`t`).',
    {
      type: 'string',
      examples: ['"key";r=299;t=60, "burst";r=29;t=1, "clinic";r=2999;t=60, "clinic-burst";r=99;t=1'],
    },
  ),
  'X-RateLimit-Limit': sometimes('Requests that the key can make in any 60 seconds.', {
    type: 'integer',
    minimum: 1,
  }),
  'X-RateLimit-Remaining': sometimes('Remaining requests of the key in the current 60 seconds.', {
    type: 'integer',
    minimum: 0,
  }),
  'X-RateLimit-Reset': sometimes('When another request is allowed, in seconds since 1970.', {
    type: 'integer',
  }),
  'Idempotency-Replayed': sometimes(
    '`true` when this is the stored response to an earlier request with the same `Idempotency-Key`.',
    { type: 'string', enum: ['true'] },
  ),
};

function always(description: string, schema: object) {
  return { description, required: true, schema };
}

function sometimes(description: string, schema: object) {
  return { description, required: false, schema };
}

/**
 * In every response to an authenticated request, except with RATE_LIMITS_DISABLED: computed by `admit.ts`, set by
 * `run-route.ts`.
 */
export const RATE_LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies ResponseHeader[];

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
