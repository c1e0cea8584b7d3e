import { sql, type RawBuilder } from 'kysely';
import type { EventType } from '../domain/event-types.ts';
import { orderingKey, type OutboxMessage } from '../domain/outbox-message.ts';
import { patternsMatching } from '../domain/subscription.ts';
import type { Sql } from './open-database.ts';

/** One line of an appointment's timeline: names of fields, statuses and times, never patient data. */
export interface TimelineLine {
  appointmentId: string;
  kind: 'created' | 'updated' | 'attended' | 'cancelled' | 'no_show' | 'rescheduled';
  changes: Record<string, unknown>;
}

export interface EventToInsert {
  id: string;
  tenantId: string;
  type: EventType;
  body: string;
  appointmentId: string | null;
  createdAt: Date;
  timeline: readonly TimelineLine[];
  messages: readonly OutboxMessage[];
  actor: string;
  requestId: string | null;
}

/** Writes an event and all that follows from it in one round trip. */
export async function insertEvent(tx: Sql, event: EventToInsert): Promise<void> {
  await sql`
    /* prepared: insert-event */
    WITH ${eventParts(event, { body: sql`${event.body}`, onlyIf: sql`true` })}
    SELECT
  `.execute(tx.getKysely());
}

/**
 * The parts of a statement that write an event, a delivery for each subscribed endpoint, timeline lines and outbox rows.
 * An endpoint that is switched off gets its delivery as `skipped`, so that a later replay can send it.
 */
export function eventParts(
  event: Omit<EventToInsert, 'body'>,
  { body, onlyIf }: { body: RawBuilder<unknown>; onlyIf: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    event AS (
      INSERT INTO webhook_event (id, tenant_id, type, body, appointment_id, created_at)
      SELECT
        ${event.id}, ${event.tenantId}::uuid, ${event.type}, ${body}, ${event.appointmentId}::uuid,
        ${event.createdAt}::timestamptz
      WHERE ${onlyIf}
    ),
    delivery AS (${deliveriesOf(event, onlyIf)}),
    timeline AS (${timelineOf(event, onlyIf)}),
    asked AS (${outboxRowsOf(event, onlyIf)})
  `;
}

function deliveriesOf(event: Omit<EventToInsert, 'body'>, onlyIf: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO webhook_delivery
      (id, tenant_id, event_id, endpoint_id, event_type, appointment_id, workflow_id, status, next_attempt_at)
    SELECT
      uuid_v7(), tenant_id, ${event.id}, id, ${event.type}, ${event.appointmentId}::uuid,
      'delivery:' || ${event.id} || ':' || id,
      CASE WHEN status IN ('active', 'failing') THEN 'pending' ELSE 'skipped' END,
      CASE WHEN status IN ('active', 'failing') THEN ${event.createdAt}::timestamptz END
    FROM webhook_endpoint
    WHERE tenant_id = ${event.tenantId}
      AND deleted_at IS NULL
      AND events && ${patternsMatching(event.type)}::text[]
      AND ${onlyIf}
    RETURNING id, tenant_id, endpoint_id, event_type, appointment_id, workflow_id, status
  `;
}

function timelineOf(
  { timeline, ...event }: Omit<EventToInsert, 'body'>,
  onlyIf: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const lines = timeline.map(({ appointmentId, kind, changes }) => ({
    appointment_id: appointmentId,
    kind,
    changes,
  }));
  return sql`
    INSERT INTO appointment_change (tenant_id, appointment_id, at, kind, actor, request_id, changes, event_id)
    SELECT
      ${event.tenantId}::uuid, appointment_id, ${event.createdAt}::timestamptz, kind, ${event.actor},
      ${event.requestId}::uuid, changes, ${event.id}
    FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      AS line (appointment_id uuid, kind text, changes jsonb)
    WHERE ${onlyIf}
  `;
}

function outboxRowsOf(
  { messages }: Omit<EventToInsert, 'body'>,
  onlyIf: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const asked = messages.map((message) => ({ ordering_key: orderingKey(message), message }));
  return sql`
    INSERT INTO outbox (ordering_key, message)
    SELECT ordering_key, message
    FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS asked (ordering_key text, message jsonb)
    WHERE ${onlyIf}
    UNION ALL
    SELECT NULL, jsonb_build_object(
      'kind', 'startDelivery',
      'deliveryId', id,
      'workflowId', workflow_id,
      'clinicId', tenant_id,
      'endpointId', endpoint_id,
      'eventType', event_type,
      'appointmentId', appointment_id)
    FROM delivery
    WHERE status = 'pending'
  `;
}
