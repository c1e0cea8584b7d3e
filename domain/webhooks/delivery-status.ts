/** docs/webhooks.md#when-deliveries-fail */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'succeeded', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A final delivery makes no more attempts. */
export function isFinal(status: DeliveryStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'skipped';
}
