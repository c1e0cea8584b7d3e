import { sql } from 'kysely';
import type { DeliveryStatus } from '../../domain/webhooks/delivery-status.ts';
import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import type { AnyEventType } from '../../domain/webhooks/event-types.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';

/** One line of an appointment's history: a change of it, an event that told of it, or how a delivery of that stands. */
export interface TimelineEntry {
  atMs: number;
  kind: string;
  actor: string | null;
  requestId: string | null;
  changes: Record<string, unknown> | null;
  eventId: string | null;
  eventType: AnyEventType | null;
  deliveryId: string | null;
  endpointId: string | null;
  deliveryStatus: DeliveryStatus | null;
  attemptCount: number | null;
  nextAttemptAtMs: number | null;
  errorClass: ErrorClass | null;
}

/** The history of one appointment, oldest first. An event that concerns two appointments stands in both histories. */
export function findAppointmentTimeline(em: EntityManager, tenantId: string, appointmentId: string) {
  return rowsOf<TimelineEntry>(em)`
    WITH change AS (
      SELECT * FROM appointment_change
      WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId}
    ), event AS (
      SELECT id, type, created_at FROM webhook_event
      WHERE tenant_id = ${tenantId} AND appointment_id = ${appointmentId}
      UNION
      SELECT id, type, created_at FROM webhook_event
      WHERE tenant_id = ${tenantId} AND id IN (SELECT event_id FROM change)
    )
    SELECT ${epochMs('at')} AS "atMs", kind, actor, request_id AS "requestId", changes, event_id AS "eventId",
      NULL AS "eventType", NULL AS "deliveryId", NULL AS "endpointId", NULL AS "deliveryStatus",
      NULL::int AS "attemptCount", NULL::float8 AS "nextAttemptAtMs", NULL AS "errorClass", 1 AS rank, id AS change_id
    FROM change
    UNION ALL
    SELECT ${epochMs('created_at')}, 'event', NULL, NULL, NULL, id, type, NULL, NULL, NULL, NULL, NULL, NULL, 2, 0
    FROM event
    UNION ALL
    SELECT ${epochMs('delivery.updated_at')}, 'delivery', NULL, NULL, NULL, delivery.event_id, delivery.event_type,
      delivery.id::text, delivery.endpoint_id::text, delivery.status, delivery.attempt_count,
      ${epochMs('delivery.next_attempt_at')}, attempt.error_class, 3, 0
    FROM event
    JOIN webhook_delivery delivery ON delivery.event_id = event.id
    LEFT JOIN webhook_attempt attempt
      ON attempt.delivery_id = delivery.id AND attempt.number = delivery.attempt_count
    ORDER BY "atMs", rank, change_id
  `;
}

function epochMs(column: string) {
  return sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::float8`;
}
