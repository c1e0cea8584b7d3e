import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

/** A call whose callee has no hash yet. */
export interface UnhashedCall {
  id: string;
  tenantId: string;
  toNumberSealed: string;
}

/** The clinic's next calls whose callee has no hash yet, held until the transaction ends. */
export async function holdCallsWithoutCallee(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<UnhashedCall[]> {
  const { rows } = await sql<UnhashedCall>`
    SELECT id, tenant_id AS "tenantId", to_number_sealed AS "toNumberSealed"
    FROM call
    WHERE tenant_id = ${tenantId}
      AND to_number_hash IS NULL
      AND ${after === null ? sql`true` : sql`id > ${after}::uuid`}
    ORDER BY id
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `.execute(em.getKysely());
  return rows;
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
