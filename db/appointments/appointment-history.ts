import { sql } from 'kysely';
import { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { onlyRow, rowsOf, type EntityManager } from '../connection/statements.ts';

/** One line of an appointment's history: a change, an event about it, or the state of a delivery. */
export type TimelineEntry = z.infer<typeof TIMELINE_ENTRY>;

const CHANGE = columnsOf('appointment_change', 'kind', 'actor', 'requestId', 'changes', 'eventId').shape;
const DELIVERY = columnsOf('webhook_delivery', 'eventType', 'status').shape;
const TIMELINE_ENTRY = z.object({
  atMs: z.number(),
  ...CHANGE,
  actor: CHANGE.actor.nullable(),
  changes: CHANGE.changes.nullable(),
  eventType: DELIVERY.eventType.nullable(),
  deliveryId: z.string().nullable(),
  endpointId: z.string().nullable(),
  deliveryStatus: DELIVERY.status.nullable(),
  attemptCount: z.number().nullable(),
  nextAttemptAtMs: z.number().nullable(),
  /** Why the last attempt failed. */
  ...columnsOf('webhook_attempt', 'errorClass', 'tlsFault', 'responseStatus').shape,
  /** The workflow that records a delivery, possibly a burst; null before its first attempt. */
  workflowId: z.string().nullable(),
});

/** The history of one appointment, oldest first. An event about two appointments is in both histories. */
export function findAppointmentTimeline(em: EntityManager, tenantId: string, appointmentId: string) {
  return rowsOf(em, TIMELINE_ENTRY)`
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
    SELECT ${epochMs('at')} AS at_ms, kind, actor, request_id, changes, event_id,
      NULL AS event_type, NULL AS delivery_id, NULL AS endpoint_id, NULL AS delivery_status,
      NULL::int AS attempt_count, NULL::float8 AS next_attempt_at_ms, NULL AS error_class, NULL AS tls_fault, NULL::int AS response_status, NULL AS workflow_id, 1 AS rank, id AS change_id
    FROM change
    UNION ALL
    SELECT ${epochMs('created_at')}, 'event', NULL, NULL, NULL, id, type, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, 0
    FROM event
    UNION ALL
    SELECT ${epochMs('delivery.updated_at')}, 'delivery', NULL, NULL, NULL, delivery.event_id, delivery.event_type,
      delivery.id::text, delivery.endpoint_id::text, delivery.status, delivery.attempt_count,
      ${epochMs('delivery.next_attempt_at')}, attempt.error_class, attempt.tls_fault, attempt.response_status,
      CASE WHEN delivery.attempt_count > 0 THEN delivery.workflow_id END, 3, 0
    FROM event
    JOIN webhook_delivery delivery ON delivery.event_id = event.id
    LEFT JOIN webhook_attempt attempt
      ON attempt.delivery_id = delivery.id AND attempt.number = delivery.attempt_count
    ORDER BY at_ms, rank, change_id
  `;
}

function epochMs(column: string) {
  return sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::float8`;
}

const MOVE = columnsOf('appointment', 'id', 'status', 'startsAt', 'endsAt', 'checkedInAt').extend({
  /** Whether the appointment replaced one with a wrong final status (a reinstatement) instead of one that was moved. */
  isReinstated: z.boolean(),
});
export type Move = z.infer<typeof MOVE>;

/** The most moves that are followed each way. Usually there are only a few. */
const MAX_MOVES_EACH_WAY = 1000;

/** For a WITH RECURSIVE: the appointment at place 0, and those that it replaced at places below. */
function earlier(appointmentId: string) {
  return sql`
    earlier AS (
      SELECT id, rescheduled_from_id, version, 0 AS place FROM appointment WHERE id = ${appointmentId}
      UNION ALL
      SELECT appointment.id, appointment.rescheduled_from_id, appointment.version, place - 1
      FROM earlier JOIN appointment ON appointment.id = earlier.rescheduled_from_id
      WHERE place > -${MAX_MOVES_EACH_WAY}::int
    )
  `;
}

/** The chain of appointments that replaced one another, including this appointment, earliest first. */
export function findChainOfMoves(em: EntityManager, appointmentId: string) {
  return rowsOf(em, MOVE)`
    WITH RECURSIVE ${earlier(appointmentId)}, later AS (
      SELECT id, rescheduled_to_id, 0 AS place FROM appointment WHERE id = ${appointmentId}
      UNION ALL
      SELECT appointment.id, appointment.rescheduled_to_id, place + 1
      FROM later JOIN appointment ON appointment.id = later.rescheduled_to_id
      WHERE place < ${MAX_MOVES_EACH_WAY}::int
    )
    SELECT id, status, starts_at, ends_at, checked_in_at, reinstated_at IS NOT NULL AS is_reinstated
    FROM (SELECT id, place FROM earlier UNION SELECT id, place FROM later) AS move
    JOIN appointment USING (id)
    ORDER BY place
  `;
}

/** How patients' calendars identify this appointment and the earlier appointments that it replaced. */
const CALENDAR_IDENTITY = z.object({
  /** The first appointment of the chain. */
  uid: z.string(),
  /** Increases with each change and each move. */
  sequence: z.number(),
});

/** The UID and SEQUENCE of an appointment's calendar file (RFC 5545 §3.8.4.7, §3.8.7.4). */
export function findCalendarIdentity(em: EntityManager, appointmentId: string) {
  return onlyRow(em, CALENDAR_IDENTITY)`
    WITH RECURSIVE ${earlier(appointmentId)}
    SELECT (array_agg(id ORDER BY place))[1] AS uid, sum(version)::integer AS sequence
    FROM earlier
  `;
}
