import { uuidv7 } from 'uuidv7';
import { TEST_EVENT_TYPE } from '../../domain/webhooks/event-types.ts';
import { deliveryWorkflowId } from '../../domain/temporal-names.ts';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity.ts';
import { WebhookEventEntity } from '../entities/webhook-event.entity.ts';
import { insertOutboxMessage } from '../outbox/insert-message.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface TestEvent {
  tenantId: string;
  endpointId: string;
  eventId: string;
  body: string;
  createdAt: Date;
}

/** Writes a test event with its one delivery, whatever the endpoint subscribes to; returns the delivery's id. */
export async function insertTestEvent(em: EntityManager, event: TestEvent): Promise<string> {
  const { tenantId, endpointId, eventId, body, createdAt } = event;
  const deliveryId = uuidv7();
  const workflowId = deliveryWorkflowId(eventId, endpointId, 0);
  const type = TEST_EVENT_TYPE;
  await em.insert(WebhookEventEntity, { id: eventId, tenantId, type, body, appointmentId: null, createdAt });
  await em.insert(WebhookDeliveryEntity, {
    id: deliveryId,
    tenantId,
    eventId,
    endpointId,
    eventType: type,
    appointmentId: null,
    workflowId,
    status: 'pending',
    nextAttemptAt: createdAt,
  });
  await insertOutboxMessage(em, {
    kind: 'startDelivery',
    deliveryId,
    workflowId,
    clinicId: tenantId,
    endpointId,
    eventType: type,
    appointmentId: null,
  });
  return deliveryId;
}
