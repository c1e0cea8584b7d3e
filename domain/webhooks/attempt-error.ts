/**
 * docs/webhooks.md#what-each-error-means. Responses and failures are mapped in `adapters/webhooks/webhook-client.ts`
 */
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

/** Whether a failed attempt sent nothing because there was no connection. */
export function isBeforeSending(errorClass: ErrorClass): boolean {
  return BEFORE_SENDING.has(errorClass);
}
