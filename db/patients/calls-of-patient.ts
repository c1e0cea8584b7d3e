import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** Of the calls from these phones and to them: the ids of some, the earliest first. */
export async function findCallsOfPhones(
  em: EntityManager,
  tenantId: string,
  hashes: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (${callsOf(tenantId, hashes)}) call ORDER BY started_at, id LIMIT ${limit}
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

export async function countCallsOfPhones(
  em: EntityManager,
  tenantId: string,
  hashes: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    SELECT count(*)::integer AS calls FROM (${callsOf(tenantId, hashes)}) call
  `.execute(em.getKysely());
  return rows[0]?.calls ?? 0;
}

function callsOf(tenantId: string, hashes: readonly string[]) {
  const wanted = sql`ANY(${[...hashes]}::text[])`;
  return sql`
    SELECT id, started_at FROM call WHERE tenant_id = ${tenantId} AND from_number_hash = ${wanted}
    UNION
    SELECT id, started_at FROM call WHERE tenant_id = ${tenantId} AND to_number_hash = ${wanted}
  `;
}

/** What was said and done in a call; that something was stays. */
export async function eraseTranscript(em: EntityManager, tenantId: string, callId: string): Promise<void> {
  await sql`
    UPDATE call_event
    SET transcript = CASE WHEN transcript IS NULL THEN NULL ELSE '' END, tool_input = NULL, tool_output = NULL
    WHERE tenant_id = ${tenantId} AND call_id = ${callId}
  `.execute(em.getKysely());
}
