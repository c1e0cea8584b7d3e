/** docs/webhooks.md#when-deliveries-fail */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'succeeded', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A final delivery makes no more attempts. */
export function isFinal(status: DeliveryStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'skipped';
}

/** docs/webhooks.md#when-deliveries-fail */
export const ENDPOINT_STATUSES = ['active', 'failing', 'deactivated', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Whether events are sent to the endpoint; otherwise they are stored as skipped. */
export function receivesEvents(status: EndpointStatus): boolean {
  return status === 'active' || status === 'failing';
}

/** docs/webhooks.md#what-each-error-means */
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

/** Whether an attempt that failed so has sent nothing, for want of a connection. */
export function isBeforeSending(errorClass: ErrorClass): boolean {
  return BEFORE_SENDING.has(errorClass);
}
