import { z } from 'zod';
import { openEventBody } from '../../adapters/sealed-event-body.ts';
import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { presentDelivery } from '../webhook-deliveries/present.ts';
import type { EventSummary, EventWithDeliveries } from '../../db/webhooks/list-events.ts';

/** What every body holds beside the columns of its row: docs/events.md#envelope */
const storedBody = z.object({
  tenant: z.object({ id: z.string(), name: z.string() }),
  data: z.record(z.string(), z.unknown()),
});

export function presentEvent({ id, type, createdAt, appointmentId }: EventSummary) {
  return { id, type, createdAt: createdAt.toISOString(), appointmentId };
}

export function presentEventDetail({ event, deliveries }: EventWithDeliveries, cipher: SecretCipher) {
  return {
    ...presentEvent(event),
    ...storedBody.parse(JSON.parse(openEventBody(cipher, event, event.body))),
    deliveries: deliveries.map(presentDelivery),
  };
}
