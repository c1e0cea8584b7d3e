import { sql } from 'kysely';
import type { InOutbox } from '../../../domain/overdue.ts';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import type { EndpointStatus } from '../../../domain/webhooks/endpoint-status.ts';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { LIVING_LEASES } from '../../outbox/worker-lease.ts';

/** What the rows say about where a delivery stands and why. */
export interface DeliverySituation extends InOutbox {
  status: DeliveryStatus;
  attemptCount: number;
  /** ISO 8601; null when there is none to come. */
  nextAttemptAt: string | null;
  isDue: boolean;
  workflowId: string;
  /** Of the last attempt; null before the first, or when it succeeded. */
  errorClass: ErrorClass | null;
  responseStatus: number | null;
  endpointStatus: EndpointStatus | 'deleted';
  isClinicCanceled: boolean;
  /** First attempts at its endpoint are under way, or a worker has taken this one. */
  isServed: boolean;
}

export async function findDeliverySituation(
  em: EntityManager,
  deliveryId: string,
): Promise<DeliverySituation | null> {
  const { rows } = await sql<DeliverySituation>`
    SELECT
      delivery.status,
      delivery.attempt_count AS "attemptCount",
      to_char(delivery.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "nextAttemptAt",
      coalesce(delivery.next_attempt_at <= clock_timestamp(), false) AS "isDue",
      delivery.workflow_id AS "workflowId",
      attempt.error_class AS "errorClass",
      attempt.response_status AS "responseStatus",
      CASE WHEN endpoint.deleted_at IS NULL THEN endpoint.status ELSE 'deleted' END AS "endpointStatus",
      tenant.status = 'canceled' AS "isClinicCanceled",
      asked.id IS NOT NULL AS "isInOutbox",
      asked.last_error AS "lastError",
      EXISTS (
        SELECT FROM outbox
        WHERE outbox.endpoint_id = delivery.endpoint_id
          AND claimed_by IN ${LIVING_LEASES}
      ) AS "isServed"
    FROM webhook_delivery delivery
    JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
    JOIN tenant ON tenant.id = delivery.tenant_id
    LEFT JOIN webhook_attempt attempt
      ON attempt.delivery_id = delivery.id
      AND attempt.number = delivery.attempt_count
    LEFT JOIN outbox asked ON asked.message ->> 'deliveryId' = delivery.id::text
    WHERE delivery.id = ${deliveryId}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
