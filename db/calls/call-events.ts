import { sql, type RawBuilder } from 'kysely';
import { CALL_EVENT_LIMITS } from '../../domain/calls/call.ts';
import { openRows } from '../encryption/field-seal.ts';
import { CallEventEntity, type CallEventRow } from '../entities/call-event.entity.ts';
import { anyOf, onlyRow, tables, type EntityManager } from '../connection/statements.ts';

/** Format, key id and nonce, with their full stops. */
const HEADER_BYTES = sql.lit('v3.00000000.0000000000000000.'.length);
const TAG_BYTES = sql.lit(16);

/** How many events a call has, and how many bytes of what was said and done are in them. */
export function measureCallEvents(em: EntityManager, tenantId: string, callId: string) {
  return onlyRow<{ count: number; bytes: number }>(em)`
    SELECT
      count(*)::integer AS count,
      coalesce(sum(
        ${clearBytes(sql`transcript`)} + coalesce(octet_length(tool_name), 0)
        + ${clearBytes(sql`(tool_input #>> '{}')`)} + ${clearBytes(sql`(tool_output #>> '{}')`)}
      ), 0)::float8 AS bytes
    FROM call_event
    WHERE tenant_id = ${tenantId}
      AND call_id = ${callId}
  `;
}

/** Of a text as it was before it was sealed: docs/decisions/0025-sealed-at-rest.md */
function clearBytes(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(
    CASE WHEN starts_with(${text}, 'v3.') THEN (octet_length(${text}) - ${HEADER_BYTES}) * 3 / 4 - ${TAG_BYTES}
    ELSE octet_length(${text}) END, 0
  )`;
}

/** The call's events with these sequences, or all of them, by sequence. */
export async function listCallEvents(
  em: EntityManager,
  tenantId: string,
  callId: string,
  sequences?: readonly number[],
): Promise<CallEventRow[]> {
  const wanted = sequences && { sequence: { $in: [...sequences] } };
  const order = { orderBy: { sequence: 'asc' }, limit: CALL_EVENT_LIMITS.count } as const;
  const rows = await em.find(CallEventEntity, { tenantId, callId, ...wanted }, order);
  return openRows(em, 'callEvent', rows);
}

/** The ids of everything that was said and done in these calls. */
export async function findIdsOfCallEvents(
  em: EntityManager,
  tenantId: string,
  callIds: readonly string[],
): Promise<string[]> {
  const events = tables(em).selectFrom('call_event').where('tenantId', '=', tenantId);
  const rows = await events.where('callId', '=', anyOf(callIds)).select('id').execute();
  return rows.map(({ id }) => id);
}
