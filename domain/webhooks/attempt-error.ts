/** docs/webhooks.md#what-each-error-means. Which answer or failure is which: `adapters/webhooks/webhook-client.ts` */
export const ERROR_CLASSES = [
  'dns_error',
  'blocked_address',
  'connect_error',
  'connect_timeout',
  'tls_error',
  'deadline_exceeded',
  'connection_lost',
  'redirect',
  'http_4xx',
  'http_5xx',
  'invalid_response',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

const BEFORE_SENDING: ReadonlySet<ErrorClass> = new Set([
  'dns_error',
  'blocked_address',
  'connect_error',
  'connect_timeout',
  'tls_error',
]);

/** Whether an attempt that failed so has sent nothing, for lack of a connection. */
export function isBeforeSending(errorClass: ErrorClass): boolean {
  return BEFORE_SENDING.has(errorClass);
}
