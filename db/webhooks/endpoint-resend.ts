import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { deliveryWorkflowId } from '../../domain/temporal-names.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../entities/webhook-delivery.entity.ts';
import { insertOutboxMessage } from '../outbox/insert-message.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Makes a new delivery of the same event to the same endpoint, which must be locked; returns its id. */
export async function insertResend(
  em: EntityManager,
  original: WebhookDeliveryRow,
  now: Date,
): Promise<string> {
  const { tenantId, eventId, endpointId, eventType, appointmentId } = original;
  const id = uuidv7();
  const resendNumber = (await lastResendNumber(em, original)) + 1;
  const workflowId = deliveryWorkflowId(eventId, endpointId, resendNumber);
  const ids = { tenantId, eventId, endpointId, eventType, appointmentId, workflowId };
  await em.insert(WebhookDeliveryEntity, {
    ...ids,
    id,
    resendNumber,
    resendOf: original.id,
    status: 'pending',
    nextAttemptAt: now,
    createdAt: now,
  });
  await insertOutboxMessage(em, {
    kind: 'startDelivery',
    deliveryId: id,
    clinicId: tenantId,
    workflowId,
    endpointId,
    eventType,
    appointmentId,
  });
  return id;
}

async function lastResendNumber(
  em: EntityManager,
  { tenantId, eventId, endpointId }: WebhookDeliveryRow,
): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    SELECT max(resend_number) AS last
    FROM webhook_delivery
    WHERE tenant_id = ${tenantId}
      AND event_id = ${eventId}
      AND endpoint_id = ${endpointId}
  `.execute(em.getKysely());
  return rows[0]?.last ?? 0;
}
