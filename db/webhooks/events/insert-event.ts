import { sql, type RawBuilder } from 'kysely';
import { eventActor } from '../../../domain/webhooks/event-actor.ts';
import type { EventType } from '../../../domain/webhooks/event-types.ts';
import { orderingKey, type OutboxMessage } from '../../../domain/outbox-message.ts';
import { patternsMatching } from '../../../domain/webhooks/subscription.ts';
import { FENCE } from '../../connection/fence.ts';
import { prepared, run, type EntityManager } from '../../connection/statements.ts';
import { CHANGED_AT, CHANGING } from '../../connection/sync-mark.ts';
import { sealEvents, type SealedEvent } from './sealed-body.ts';
import { START_DELIVERY, timerDueAt } from '../../outbox/insert-messages.ts';

export const TIMELINE_KINDS = [
  'created',
  'updated',
  'attended',
  'cancelled',
  'no_show',
  'rescheduled',
] as const;

/** One line of an appointment's timeline: field names, statuses and times, never patient data. */
export interface TimelineLine {
  appointmentId: string;
  kind: (typeof TIMELINE_KINDS)[number];
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
  /** W3C `traceparent` */
  traceParent?: string | undefined;
  /** An endpoint that does not get it, because it is about it. */
  exceptEndpointId?: string | undefined;
  /** Records only the timeline lines and outbox rows, not the event itself. */
  isQuiet?: boolean | undefined;
}

/** Writes an event with its deliveries, timeline lines and outbox rows in one round trip. */
export async function insertEvent(em: EntityManager, event: EventToInsert): Promise<void> {
  const events = await sealEvents(em, [event]);
  await run(prepared(em))`
    WITH ${CHANGING},
    ${eventParts(events)}
    SELECT
  `;
}

/** An event whose time is set by the statement, which inserts it between the two parts of the body. */
export type StampedEvent = Omit<EventToInsert, 'body' | 'createdAt'> & { body: readonly string[] };

/**
 * The parts of a statement that write events, a delivery for each subscribed endpoint, timeline lines and outbox rows. One
 * without a URL gets a delivery without workflow and outbox row. An
 * endpoint that is switched off, or whose clinic is canceled, gets its delivery as `skipped`, so that a later replay can
 * send it; one that ignores the API key that caused the event, or that the event is about, gets none. The statement begins with `CHANGING`.
 * @param onlyIf on a row of `given`: whether the event is to be recorded
 */
export function eventParts(
  events: readonly SealedEvent<EventToInsert | StampedEvent>[],
  onlyIf: RawBuilder<unknown> = sql`true`,
) {
  return sql`
    recorded AS MATERIALIZED (
      SELECT
        id, tenant_id, type, patterns, appointment_id, actor, key_id, request_id, trace_parent, is_quiet, except_endpoint_id, timeline, messages,
        coalesce(created_at, ${CHANGED_AT}) AS created_at,
        array_to_string(body, to_char(${CHANGED_AT} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS body
      FROM json_to_recordset(${JSON.stringify(events.map(toRecord))}::json) AS given (
        id text, tenant_id uuid, type text, patterns text[], body text[], appointment_id uuid, created_at timestamptz,
        actor text, key_id uuid, request_id uuid, trace_parent text, is_quiet boolean, except_endpoint_id uuid, timeline jsonb, messages jsonb
      )
      WHERE ${onlyIf}
    ),
    event AS (
      INSERT INTO webhook_event (id, tenant_id, type, body, appointment_id, created_at, trace_parent)
      SELECT id, tenant_id, type, body, appointment_id, created_at, trace_parent
      FROM recorded
      WHERE NOT is_quiet
    ),
    delivery AS (${DELIVERIES}),
    timeline AS (${TIMELINE}),
    asked AS (${OUTBOX_ROWS})
  `;
}

function toRecord({ body, timeline, messages, ...event }: EventToInsert | StampedEvent) {
  return {
    id: event.id,
    tenant_id: event.tenantId,
    type: event.type,
    patterns: patternsMatching(event.type),
    body: typeof body === 'string' ? [body] : body,
    appointment_id: event.appointmentId,
    created_at: 'createdAt' in event ? event.createdAt : null,
    actor: event.actor,
    key_id: keyOf(event.actor),
    request_id: event.requestId,
    trace_parent: event.traceParent,
    is_quiet: event.isQuiet ?? false,
    except_endpoint_id: event.exceptEndpointId,
    timeline: timeline.map(({ appointmentId, kind, changes }) => ({
      appointment_id: appointmentId,
      kind,
      changes,
    })),
    messages: messages.map((message) => ({ ordering_key: orderingKey(message), message })),
  };
}

function keyOf(actor: string): string | null {
  const { type, id } = eventActor(actor);
  return type === 'api_key' ? id : null;
}

const DELIVERIES = sql`
  INSERT INTO webhook_delivery
    (id, tenant_id, event_id, endpoint_id, url, event_type, appointment_id, workflow_id, status, next_attempt_at,
      created_at, updated_at)
  SELECT
    uuid_v7(), recorded.tenant_id, recorded.id, receiver.id, receiver.url, recorded.type, recorded.appointment_id,
    CASE WHEN receiver.url IS NOT NULL THEN 'delivery:' || recorded.id || ':' || receiver.id END,
    CASE WHEN receiver.is_on THEN 'pending' ELSE 'skipped' END,
    CASE WHEN receiver.is_on AND receiver.url IS NOT NULL THEN recorded.created_at END, recorded.created_at, recorded.created_at
  FROM recorded
  CROSS JOIN LATERAL (
    SELECT endpoint.id, endpoint.url, endpoint.status IN ('active', 'failing') AND tenant.status <> 'canceled' AS is_on
    FROM webhook_endpoint endpoint
    JOIN tenant ON tenant.id = endpoint.tenant_id
    WHERE endpoint.tenant_id = recorded.tenant_id
      AND endpoint.deleted_at IS NULL
      AND endpoint.events && recorded.patterns
      AND (recorded.key_id = ANY(endpoint.ignore_actors)) IS NOT TRUE
      AND endpoint.id IS DISTINCT FROM recorded.except_endpoint_id
    ${FENCE}
  ) receiver
  WHERE NOT recorded.is_quiet
  RETURNING id, tenant_id, endpoint_id, event_type, appointment_id, workflow_id, status
`;

const TIMELINE = sql`
  INSERT INTO appointment_change (tenant_id, appointment_id, at, kind, actor, request_id, changes, event_id)
  SELECT
    recorded.tenant_id, line.appointment_id, recorded.created_at, line.kind, recorded.actor, recorded.request_id,
    line.changes, CASE WHEN NOT recorded.is_quiet THEN recorded.id END
  FROM recorded
  CROSS JOIN jsonb_to_recordset(recorded.timeline) AS line (appointment_id uuid, kind text, changes jsonb)
`;

const OUTBOX_ROWS = sql`
  INSERT INTO outbox (ordering_key, message, due_at)
  SELECT asked.ordering_key, asked.message, ${timerDueAt(sql.ref('asked.message'))}
  FROM recorded
  CROSS JOIN jsonb_to_recordset(recorded.messages) AS asked (ordering_key text, message jsonb)
  UNION ALL
  SELECT NULL, ${START_DELIVERY}, NULL
  FROM delivery
  WHERE status = 'pending'
    AND workflow_id IS NOT NULL
`;
