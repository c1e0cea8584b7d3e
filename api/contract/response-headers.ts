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
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
