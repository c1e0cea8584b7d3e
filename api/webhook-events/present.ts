import { z } from 'zod';
import { presentDelivery } from '../webhook-deliveries/present.ts';
import type { OpenedEvent } from '../../db/webhooks/events/sealed-body.ts';
import type { EventSummary, EventWithDeliveries } from '../../db/webhooks/events/find-events.ts';

/** What every body holds beside the columns of its row: docs/events.md#envelope */
const storedBody = z.object({
  tenant: z.object({ id: z.string(), name: z.string() }),
  data: z.record(z.string(), z.unknown()),
});

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
  return storedBody.parse(JSON.parse(body));
}
