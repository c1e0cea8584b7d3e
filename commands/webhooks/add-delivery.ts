import { uuidv7 } from 'uuidv7';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../../db/entities/webhook-delivery.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { askForDeliveries } from '../../db/outbox/insert-messages.ts';
import { deliveryWorkflowId } from '../../domain/temporal-names.ts';

export type NewDelivery = Pick<
  WebhookDeliveryRow,
  'tenantId' | 'eventId' | 'endpointId' | 'url' | 'eventType' | 'appointmentId' | 'resendNumber' | 'resendOf'
>;

/**
 * Creates a delivery of an event to one endpoint, which must be locked, and requests the first attempt. Returns the
 * delivery's ID.
 */
export async function addDelivery(em: EntityManager, delivery: NewDelivery, now: Date): Promise<string> {
  const id = uuidv7();
  const { eventId, endpointId, resendNumber } = delivery;
  const workflowId = deliveryWorkflowId(eventId, endpointId, resendNumber);
  const due = { status: 'pending', nextAttemptAt: now, createdAt: now } as const;
  await em.insert(WebhookDeliveryEntity, { ...delivery, id, workflowId, ...due });
  await askForDeliveries(em, [id]);
  return id;
}
