import { z } from 'zod';
import { openEventBody } from '../../adapters/sealed-event-body.ts';
import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { presentDelivery } from '../webhook-deliveries/present.ts';
import type { WebhookEventRow } from '../../db/entities/webhook-event.entity.ts';
import type { EventSummary, EventWithDeliveries } from '../../db/webhooks/events/list-events.ts';

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
    ...presentBody(event, cipher),
    deliveries: deliveries.map(presentDelivery),
  };
}

function presentBody({ tenantId, id, body }: WebhookEventRow, cipher: SecretCipher) {
  if (body === null) return { tenant: null, data: null };
  return storedBody.parse(JSON.parse(openEventBody(cipher, { tenantId, id }, body)));
}
