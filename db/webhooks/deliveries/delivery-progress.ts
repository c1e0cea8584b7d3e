import { sql } from 'kysely';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import { type EntityManager } from '../../connection/statements.ts';
import { rowsOf } from '../../connection/unchecked-statements.ts';

/** The progress of a delivery. */
export interface DeliveryProgress {
  /** The workflow that makes or records its attempts. */
  workflowId: string;
  status: DeliveryStatus;
  /** The number of the last attempt; 0 before the first. */
  attemptCount: number;
  /** Null exactly when the delivery is final. */
  nextAttemptAt: Date | null;
  /** Time until then, by the database's clock; negative when it is past. */
  dueInMs: number | null;
  /** From the last attempt; null when it succeeded or there was none. */
  errorClass: ErrorClass | null;
  responseStatus: number | null;
}

export interface ProgressRow extends Omit<DeliveryProgress, 'nextAttemptAt'> {
  nextAttemptAtMs: number | null;
}

/** The columns of a `ProgressRow`, from the tables `delivery` and `last_attempt`. */
export const PROGRESS_COLUMNS = sql`
  delivery.workflow_id AS "workflowId",
  delivery.status,
  delivery.attempt_count AS "attemptCount",
  (extract(epoch FROM delivery.next_attempt_at) * 1000)::float8 AS "nextAttemptAtMs",
  (extract(epoch FROM delivery.next_attempt_at - clock_timestamp()) * 1000)::float8 AS "dueInMs",
  last_attempt.error_class AS "errorClass",
  last_attempt.response_status AS "responseStatus"
`;

export function toProgress(row: ProgressRow): DeliveryProgress {
  const { workflowId, status, attemptCount, nextAttemptAtMs, dueInMs, errorClass, responseStatus } = row;
  const nextAttemptAt = nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs);
  return { workflowId, status, attemptCount, nextAttemptAt, dueInMs, errorClass, responseStatus };
}

/** Null when the clinic has no such delivery. */
export async function findDeliveryProgress(em: EntityManager, tenantId: string, deliveryId: string) {
  const rows = await rowsOf<ProgressRow>(em)`
    SELECT ${PROGRESS_COLUMNS}
    FROM webhook_delivery delivery
    LEFT JOIN webhook_attempt last_attempt
      ON last_attempt.delivery_id = delivery.id AND last_attempt.number = delivery.attempt_count
    WHERE delivery.tenant_id = ${tenantId}
      AND delivery.id = ${deliveryId}
  `;
  return rows[0] ? toProgress(rows[0]) : null;
}
