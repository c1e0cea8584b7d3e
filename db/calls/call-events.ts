import { sql } from 'kysely';
import { CALL_EVENT_LIMITS } from '../../domain/calls/call.ts';
import { CallEventEntity, type CallEventRow } from '../entities/call-event.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

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

/** The ids of everything that was said and done in these calls. */
export async function findIdsOfCallEvents(
  em: EntityManager,
  tenantId: string,
  callIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM call_event WHERE tenant_id = ${tenantId} AND call_id = ANY(${[...callIds]}::uuid[])
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
