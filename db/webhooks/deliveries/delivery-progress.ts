import { sql } from 'kysely';
import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../../domain/webhooks/delivery-status.ts';
import { ERROR_CLASSES } from '../../../domain/webhooks/attempt-error.ts';
import { firstRow, type EntityManager } from '../../connection/statements.ts';

/** The progress of a delivery. */
export const PROGRESS = z.object({
  /** The workflow that makes or records its attempts. */
  workflowId: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  /** The number of the last attempt; 0 before the first. */
  attemptCount: z.number(),
  /** Null exactly when the delivery is final. */
  nextAttemptAt: z.date().nullable(),
  /** The time until `nextAttemptAt`, by the database's clock; negative if it has passed. */
  dueInMs: z.number().nullable(),
  /** From the last attempt; null when it succeeded or there was none. */
  errorClass: z.enum(ERROR_CLASSES).nullable(),
  responseStatus: z.number().nullable(),
});
export type DeliveryProgress = z.infer<typeof PROGRESS>;

/** The columns of `PROGRESS`, from the tables `delivery` and `last_attempt`. */
export const PROGRESS_COLUMNS = sql`
  delivery.workflow_id,
  delivery.status,
  delivery.attempt_count,
  delivery.next_attempt_at,
  (extract(epoch FROM delivery.next_attempt_at - clock_timestamp()) * 1000)::float8 AS due_in_ms,
  last_attempt.error_class,
  last_attempt.response_status
`;

/** The progress from a row that has more columns. */
export function toProgress(row: DeliveryProgress): DeliveryProgress {
  const { workflowId, status, attemptCount, nextAttemptAt, dueInMs, errorClass, responseStatus } = row;
  return { workflowId, status, attemptCount, nextAttemptAt, dueInMs, errorClass, responseStatus };
}

/** Null when the clinic has no such delivery. */
export function findDeliveryProgress(em: EntityManager, tenantId: string, deliveryId: string) {
  return firstRow(em, PROGRESS)`
    SELECT ${PROGRESS_COLUMNS}
    FROM webhook_delivery delivery
    LEFT JOIN webhook_attempt last_attempt
      ON last_attempt.delivery_id = delivery.id AND last_attempt.number = delivery.attempt_count
    WHERE delivery.tenant_id = ${tenantId}
      AND delivery.id = ${deliveryId}
  `;
}
