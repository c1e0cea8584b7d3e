import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { deliveryWorkflowId } from '../../domain/temporal-names.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../entities/webhook-delivery.entity.ts';
import { insertOutboxMessage } from '../outbox/outbox-rows.ts';
import type { Sql } from '../connection/open-database.ts';

/** Makes a new delivery of the same event to the same endpoint, which must be locked; returns its id. */
export async function insertResend(tx: Sql, original: WebhookDeliveryRow, now: Date): Promise<string> {
  const { tenantId, eventId, endpointId, eventType, appointmentId } = original;
  const id = uuidv7();
  const resendNumber = (await lastResendNumber(tx, original)) + 1;
  const workflowId = deliveryWorkflowId(eventId, endpointId, resendNumber);
  const ids = { tenantId, eventId, endpointId, eventType, appointmentId, workflowId };
  await tx.insert(WebhookDeliveryEntity, {
    ...ids,
    id,
    resendNumber,
    resendOf: original.id,
    status: 'pending',
    nextAttemptAt: now,
    createdAt: now,
  });
  await insertOutboxMessage(tx, {
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
  tx: Sql,
  { tenantId, eventId, endpointId }: WebhookDeliveryRow,
): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    SELECT max(resend_number) AS last
    FROM webhook_delivery
    WHERE tenant_id = ${tenantId}
      AND event_id = ${eventId}
      AND endpoint_id = ${endpointId}
  `.execute(tx.getKysely());
  return rows[0]?.last ?? 0;
}
