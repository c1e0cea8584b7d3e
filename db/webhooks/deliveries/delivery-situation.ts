import { z } from 'zod';
import { ENDPOINT_STATUSES } from '../../../domain/webhooks/endpoint-status.ts';
import { columnsOf } from '../../connection/columns.ts';
import { firstRow, type EntityManager } from '../../connection/statements.ts';
import { LIVING_LEASES } from '../../outbox/lease-rows.ts';

/** The state of a delivery and its reason, according to the rows. */
const DELIVERY_SITUATION = columnsOf('webhook_delivery', 'status', 'attemptCount', 'workflowId').extend({
  ...columnsOf('webhook_attempt', 'errorClass', 'responseStatus').shape,
  isInOutbox: z.boolean(),
  lastError: z.string().nullable(),
  /** ISO 8601; null when there is no next attempt. */
  nextAttemptAt: z.string().nullable(),
  isDue: z.boolean(),
  endpointStatus: z.enum([...ENDPOINT_STATUSES, 'deleted']),
  isClinicCanceled: z.boolean(),
  /** ISO 8601; null when the endpoint is not paused. */
  pausedUntil: z.string().nullable(),
  /** Whether first attempts to its endpoint are in progress, or a worker has claimed this delivery. */
  isServed: z.boolean(),
});
export type DeliverySituation = z.infer<typeof DELIVERY_SITUATION>;

export function findDeliverySituation(em: EntityManager, deliveryId: string) {
  return firstRow(em, DELIVERY_SITUATION)`
    SELECT
      delivery.status, delivery.attempt_count, delivery.workflow_id,
      to_char(delivery.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS next_attempt_at,
      coalesce(delivery.next_attempt_at <= clock_timestamp(), false) AS is_due,
      attempt.error_class, attempt.response_status,
      CASE WHEN endpoint.deleted_at IS NULL THEN endpoint.status ELSE 'deleted' END AS endpoint_status,
      tenant.status = 'canceled' AS is_clinic_canceled,
      CASE WHEN endpoint.paused_until > clock_timestamp()
        THEN to_char(endpoint.paused_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      END AS paused_until,
      asked.id IS NOT NULL AS is_in_outbox, asked.last_error,
      EXISTS (
        SELECT FROM outbox
        WHERE outbox.endpoint_id = delivery.endpoint_id
          AND claimed_by IN ${LIVING_LEASES}
      ) AS is_served
    FROM webhook_delivery delivery
    JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
    JOIN tenant ON tenant.id = delivery.tenant_id
    LEFT JOIN webhook_attempt attempt
      ON attempt.delivery_id = delivery.id
      AND attempt.number = delivery.attempt_count
    LEFT JOIN outbox asked ON asked.message ->> 'deliveryId' = delivery.id::text
    WHERE delivery.id = ${deliveryId}
  `;
}
