import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';

export interface KeptAnswerRow {
  keyHash: Buffer;
  sealed: string;
}

/** The answers kept for the clinic's repeats, a page at a time in the order of their keys. */
export async function pageOfKeptAnswers(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: Buffer | null; limit: number },
): Promise<KeptAnswerRow[]> {
  const { rows } = await sql<KeptAnswerRow>`
    SELECT key_hash AS "keyHash", sealed FROM idempotency_record
    WHERE tenant_id = ${tenantId} AND ${after ? sql`key_hash > ${after}` : sql`true`}
    ORDER BY key_hash
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}

export async function forgetKeptAnswers(
  em: EntityManager,
  tenantId: string,
  keyHashes: readonly Buffer[],
): Promise<void> {
  await sql`
    DELETE FROM idempotency_record
    WHERE tenant_id = ${tenantId} AND key_hash = ANY(${[...keyHashes]}::bytea[])
  `.execute(em.getKysely());
}
