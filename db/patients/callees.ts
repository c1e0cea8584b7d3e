import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';
import { tables, type RowOf } from '../connection/tables.ts';

/** A call whose callee has no hash yet. */
export type UnhashedCall = RowOf<'call', 'id' | 'tenantId' | 'toNumberSealed'>;

/** The clinic's next calls whose callee has no hash yet, held until the transaction ends. */
export function holdCallsWithoutCallee(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<UnhashedCall[]> {
  return tables(em)
    .selectFrom('call')
    .select(['id', 'tenantId', 'toNumberSealed'])
    .where('tenantId', '=', tenantId)
    .where('toNumberHash', 'is', null)
    .where((call) => call.and(after === null ? [] : [call('id', '>', after)]))
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
}

export async function saveCallees(
  em: EntityManager,
  tenantId: string,
  hashes: readonly { id: string; hash: string }[],
): Promise<void> {
  await sql`
    UPDATE call
    SET to_number_hash = given.hash
    FROM json_to_recordset(${JSON.stringify(hashes)}::json) AS given (id uuid, hash text)
    WHERE call.tenant_id = ${tenantId}
      AND call.id = given.id
  `.execute(em.getKysely());
}
