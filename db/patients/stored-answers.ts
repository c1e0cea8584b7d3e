import { sql } from 'kysely';
import { z } from 'zod';
import { rowsOf, run, type EntityManager } from '../connection/statements.ts';

const KEPT_ANSWER = z.object({ keyHash: z.instanceof(Buffer), sealed: z.string() });

/** The stored answers of the clinic's idempotent requests, a page at a time by key. */
export function pageOfStoredAnswers(
  em: EntityManager,
  tenantId: string,
  { after, limit }: { after: Buffer | null; limit: number },
) {
  return rowsOf(em, KEPT_ANSWER)`
    SELECT key_hash, sealed FROM idempotency_record
    WHERE tenant_id = ${tenantId} AND ${after ? sql`key_hash > ${after}` : sql`true`}
    ORDER BY key_hash
    LIMIT ${limit}
  `;
}

export function deleteStoredAnswers(em: EntityManager, tenantId: string, keyHashes: readonly Buffer[]) {
  return run(em)`
    DELETE FROM idempotency_record
    WHERE tenant_id = ${tenantId} AND key_hash = ANY(${[...keyHashes]}::bytea[])
  `;
}
