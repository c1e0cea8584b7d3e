/** docs/webhooks.md#when-deliveries-fail */
export const ENDPOINT_STATUSES = ['active', 'failing', 'deactivated', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Whether events are sent to the endpoint; otherwise they are skipped. */
export function receivesEvents(status: EndpointStatus): boolean {
  return status === 'active' || status === 'failing';
}
