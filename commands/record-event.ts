import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Sql } from '../db/open-database.ts';
import type { EventType } from '../domain/event-types.ts';
import { patternsMatching } from '../domain/subscription.ts';

export interface NewEvent {
  tenant: { id: string; name: string };
  type: EventType;
  data: Record<string, unknown>;
  appointmentId?: string;
}

/** Event ids are `evt_` and a UUIDv7 without dashes. CONTRACT, "Webhook decisions". */
export function newEventId(): string {
  return `evt_${uuidv7().replaceAll('-', '')}`;
}

/** INTERFACE.md, "Events": the envelope. Its text is stored and sent to the byte. */
export function eventBody(id: string, event: NewEvent, createdAt: Date): string {
  const { id: tenantId, name } = event.tenant;
  return JSON.stringify({
    id,
    type: event.type,
    createdAt: createdAt.toISOString(),
    tenant: { id: tenantId, name },
    data: event.data,
  });
}

/**
 * Stores an event with one delivery for each subscribed endpoint and asks Temporal to start those deliveries,
 * all in one statement of the caller's transaction. An endpoint that is switched off gets its delivery as `skipped`,
 * so that nothing is lost to a later replay. Returns the event's id.
 */
export async function recordEvent(tx: Sql, event: NewEvent, now: Date): Promise<string> {
  const id = newEventId();
  const appointmentId = event.appointmentId ?? null;
  await sql`
    WITH event AS (
      INSERT INTO webhook_event (id, tenant_id, type, body, appointment_id, created_at)
      VALUES (${id}, ${event.tenant.id}, ${event.type}, ${eventBody(id, event, now)}, ${appointmentId}, ${now})
    ), delivery AS (
      INSERT INTO webhook_delivery
        (id, tenant_id, event_id, endpoint_id, event_type, appointment_id, workflow_id, status, next_attempt_at)
      SELECT
        uuid_v7(), tenant_id, ${id}, id, ${event.type}, ${appointmentId},
        'delivery:' || ${id} || ':' || id,
        CASE WHEN status IN ('active', 'failing') THEN 'pending' ELSE 'skipped' END,
        CASE WHEN status IN ('active', 'failing') THEN ${now}::timestamptz END
      FROM webhook_endpoint
      WHERE tenant_id = ${event.tenant.id}
        AND deleted_at IS NULL
        AND events && ${patternsMatching(event.type)}::text[]
      RETURNING id, tenant_id, endpoint_id, workflow_id, status
    )
    INSERT INTO outbox (message)
    SELECT jsonb_build_object(
      'kind', 'startDelivery',
      'deliveryId', id,
      'workflowId', workflow_id,
      'clinicId', tenant_id,
      'endpointId', endpoint_id,
      'eventType', ${event.type}::text,
      'appointmentId', ${appointmentId}::uuid)
    FROM delivery
    WHERE status = 'pending'
  `.execute(tx.getKysely());
  return id;
}
