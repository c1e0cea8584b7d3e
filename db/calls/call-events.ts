import { sql } from 'kysely';
import { CALL_EVENT_LIMITS } from '../../domain/calls/call.ts';
import { CallEventEntity, type CallEventRow } from '../entities/call-event.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

export type NewCallEvent = Pick<
  CallEventRow,
  'sequence' | 'eventType' | 'transcript' | 'toolName' | 'toolInput' | 'toolOutput' | 'occurredAt'
>;

/**
 * Inserts the events whose sequence the call does not have yet and returns the sequences inserted. In the order of
 * their sequences, so that two writers of the same call wait for each other instead of deadlocking.
 */
export async function insertCallEvents(
  em: EntityManager,
  call: { tenantId: string; callId: string },
  events: readonly NewCallEvent[],
): Promise<number[]> {
  const { rows } = await sql<{ sequence: number }>`
    INSERT INTO call_event (
      tenant_id, call_id, sequence, event_type, transcript, tool_name, tool_input, tool_output, occurred_at
    )
    SELECT
      ${call.tenantId}, ${call.callId}, sequence, "eventType", transcript, "toolName", "toolInput", "toolOutput",
      "occurredAt"
    FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS event (
      sequence integer,
      "eventType" text,
      transcript text,
      "toolName" text,
      "toolInput" jsonb,
      "toolOutput" jsonb,
      "occurredAt" timestamptz(3)
    )
    ORDER BY sequence
    ON CONFLICT (call_id, sequence) DO NOTHING
    RETURNING sequence
  `.execute(em.getKysely());
  return rows.map((row) => row.sequence);
}

/** How many events a call has, and how many bytes of what was said and done are in them. */
export async function measureCallEvents(
  em: EntityManager,
  tenantId: string,
  callId: string,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    SELECT
      count(*)::integer AS count,
      coalesce(sum(
        coalesce(octet_length(transcript), 0) + coalesce(octet_length(tool_name), 0)
        + coalesce(octet_length(tool_input::text), 0) + coalesce(octet_length(tool_output::text), 0)
      ), 0)::float8 AS bytes
    FROM call_event
    WHERE tenant_id = ${tenantId}
      AND call_id = ${callId}
  `.execute(em.getKysely());
  return rows[0] ?? { count: 0, bytes: 0 };
}

/** The call's events with these sequences, or all of them, by sequence. */
export function listCallEvents(
  em: EntityManager,
  tenantId: string,
  callId: string,
  sequences?: readonly number[],
): Promise<CallEventRow[]> {
  const wanted = sequences && { sequence: { $in: [...sequences] } };
  const order = { orderBy: { sequence: 'asc' }, limit: CALL_EVENT_LIMITS.count } as const;
  return em.find(CallEventEntity, { tenantId, callId, ...wanted }, order);
}
