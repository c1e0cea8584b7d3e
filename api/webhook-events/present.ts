import type { NewEvent } from '../../commands/webhooks/record-event.ts';
import { presentDelivery } from '../webhook-deliveries/present.ts';
import type { OpenedEvent } from '../../db/webhooks/events/sealed-body.ts';
import type { EventSummary, EventWithDeliveries } from '../../db/webhooks/events/find-events.ts';

export function presentEvent({ id, type, createdAt, appointmentId }: EventSummary) {
  return { id, type, createdAt: createdAt.toISOString(), appointmentId };
}

export function presentEventDetail({ event, deliveries }: EventWithDeliveries) {
  return {
    ...presentEvent(event),
    ...presentBody(event),
    deliveries: deliveries.map(presentDelivery),
  };
}

function presentBody({ body }: OpenedEvent) {
  if (body === null) return { tenant: null, data: null };
  const { tenant, data } = JSON.parse(body) as NewEvent;
  return { tenant, data };
}
