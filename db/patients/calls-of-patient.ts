import { sql } from 'kysely';
import { anyOf, countUpTo, tables, type EntityManager } from '../connection/statements.ts';

/** The ids of some calls from or to these phones, earliest first. */
export async function findCallsOfPhones(
  em: EntityManager,
  tenantId: string,
  hashes: readonly string[],
  limit: number,
): Promise<string[]> {
  const calls = tables(em).selectFrom(callsOf(em, tenantId, hashes).as('call'));
  const rows = await calls.select('id').orderBy('startedAt').orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

export function countCallsOfPhones(em: EntityManager, tenantId: string, hashes: readonly string[]) {
  return countUpTo(em, callsOf(em, tenantId, hashes), null);
}

function callsOf(em: EntityManager, tenantId: string, hashes: readonly string[]) {
  const calls = tables(em).selectFrom('call').select(['id', 'startedAt']).where('tenantId', '=', tenantId);
  const wanted = anyOf(hashes);
  return calls.where('fromNumberHash', '=', wanted).union(calls.where('toNumberHash', '=', wanted));
}

/** Erases the contents of a call's transcript; the events themselves stay. */
export async function eraseTranscript(em: EntityManager, tenantId: string, callId: string): Promise<void> {
  const transcript = sql<null>`CASE WHEN transcript IS NULL THEN NULL ELSE '' END`;
  await tables(em)
    .updateTable('call_event')
    .set({ transcript, toolInput: null, toolOutput: null })
    .where('tenantId', '=', tenantId)
    .where('callId', '=', callId)
    .execute();
}
