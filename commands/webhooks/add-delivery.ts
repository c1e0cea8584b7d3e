import { uuidv7 } from 'uuidv7';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { askForDeliveries } from '../../db/outbox/insert-messages.ts';
import { deliveryWorkflowId } from '../../domain/temporal-names.ts';

export type NewDelivery = Pick<
  WebhookDeliveryRow,
  'tenantId' | 'eventId' | 'endpointId' | 'url' | 'eventType' | 'appointmentId' | 'resendNumber' | 'resendOf'
>;

/**
 * Creates a delivery of an event to one endpoint, which must be locked, and requests the first attempt. Returns the
 * delivery's ID. A delivery without a URL only waits in the queue of its endpoint.
 */
export async function addDelivery(em: EntityManager, delivery: NewDelivery, now: Date): Promise<string> {
  const id = uuidv7();
  const { eventId, endpointId, resendNumber, url } = delivery;
  const pending = { ...delivery, id, status: 'pending', createdAt: now } as const;
  if (url === null) {
    await em.insert(WebhookDeliveryEntity, { ...pending, workflowId: null, nextAttemptAt: null });
    return id;
  }
  const workflowId = deliveryWorkflowId(eventId, endpointId, resendNumber);
  await em.insert(WebhookDeliveryEntity, { ...pending, workflowId, nextAttemptAt: now });
  await askForDeliveries(em, [id]);
  return id;
}
