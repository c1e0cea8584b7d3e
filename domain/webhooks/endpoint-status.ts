/** As stored: docs/webhooks.md#when-deliveries-fail */
export const ENDPOINT_STATUSES = ['active', 'failing', 'deactivated', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** As shown: a pause ends by itself, so it is no status of its own in the row. docs/webhooks.md#pause-an-endpoint */
export const SHOWN_STATUSES = ['active', 'failing', 'paused', 'deactivated', 'disabled'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

interface PausableEndpoint {
  status: EndpointStatus;
  pausedUntil: Date | null;
}

/** Whether events are sent to the endpoint, now or after a pause; otherwise they are skipped. */
export function receivesEvents(status: EndpointStatus): boolean {
  return status === 'active' || status === 'failing';
}

/** When its pause ends; null when it is not paused. */
export function pauseEnd({ pausedUntil }: Pick<PausableEndpoint, 'pausedUntil'>, now: Date): Date | null {
  return pausedUntil && pausedUntil > now ? pausedUntil : null;
}

export function shownStatus(endpoint: PausableEndpoint, now: Date): ShownStatus {
  return pauseEnd(endpoint, now) ? 'paused' : endpoint.status;
}
