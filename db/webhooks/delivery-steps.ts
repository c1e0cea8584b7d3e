import { sql } from 'kysely';
import type { DeliveryStatus } from '../../domain/webhooks/delivery-status.ts';
import type { DeliveryIds } from '../../domain/outbox-message.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

/** Ends open deliveries without another attempt, because their endpoint is off. */
export async function skipDeliveries(em: EntityManager, deliveryIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE webhook_delivery
    SET status = 'skipped', next_attempt_at = NULL, updated_at = clock_timestamp()
    WHERE id IN (
      SELECT id
      FROM webhook_delivery
      WHERE id = ANY(${[...deliveryIds]}::uuid[])
        AND status IN ('pending', 'retrying')
      ORDER BY id
      FOR NO KEY UPDATE
    )
  `.execute(em.getKysely());
}

/** An open delivery whose next attempt was brought forward. */
export interface HastenedDelivery extends DeliveryIds {
  workflowId: string;
  status: Extract<DeliveryStatus, 'pending' | 'retrying'>;
}

/** Makes an open delivery due now; null when it is not open or the clinic has no such delivery. */
export async function hastenDelivery(
  em: EntityManager,
  tenantId: string,
  deliveryId: string,
  now: Date,
): Promise<HastenedDelivery | null> {
  const { rows } = await sql<HastenedDelivery>`
    UPDATE webhook_delivery
    SET next_attempt_at = least(next_attempt_at, ${now}::timestamptz), updated_at = clock_timestamp()
    WHERE tenant_id = ${tenantId}
      AND id = ${deliveryId}
      AND status IN ('pending', 'retrying')
    RETURNING
      id AS "deliveryId", tenant_id AS "tenantId", endpoint_id AS "endpointId", event_type AS "eventType",
      appointment_id AS "appointmentId", workflow_id AS "workflowId", status
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Names the workflow that carries these deliveries; nothing else is missing of them. */
export async function carryInBurst(
  em: EntityManager,
  burstWorkflowId: string,
  rows: readonly { outboxId: string; deliveryId: string }[],
): Promise<void> {
  await prepared(em)`
    WITH carried AS (
      DELETE FROM outbox WHERE id = ANY(${rows.map(({ outboxId }) => outboxId)}::bigint[])
    )
    UPDATE webhook_delivery
    SET workflow_id = ${burstWorkflowId}
    WHERE id = ANY(${rows.map(({ deliveryId }) => deliveryId)}::uuid[])
  `;
}
