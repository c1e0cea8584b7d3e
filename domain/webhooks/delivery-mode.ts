/** How an endpoint gets its events: docs/webhooks.md#fetch-events-from-a-queue */
export const DELIVERY_MODES = ['push', 'pull'] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];

/** A pull endpoint has no URL: its system reads a queue. An endpoint keeps its kind. */
export function deliveryMode({ url }: { url: string | null }): DeliveryMode {
  return url === null ? 'pull' : 'push';
}
