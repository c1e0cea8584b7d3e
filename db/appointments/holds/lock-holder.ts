import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

export interface HolderToLock {
  tenantId: string;
  /** As of a command's context: `key:<id>` for a key. */
  heldBy: string;
  callId: string | null;
}

/**
 * Holds the key and the call that ask for a hold until the transaction ends, so that what they have can be counted, and that
 * the end of the call finds what it held. Says how the call stands; null when none is named or the clinic has no such call.
 */
export async function lockHolder(
  em: EntityManager,
  { tenantId, heldBy, callId }: HolderToLock,
): Promise<string | null> {
  const [, keyId] = /^key:(.*)$/.exec(heldBy) ?? [];
  const { rows } = await sql<{ status: string | null }>`
    WITH key AS (
      SELECT id FROM api_key WHERE tenant_id = ${tenantId} AND id = ${keyId ?? null}::uuid FOR NO KEY UPDATE
    ), held AS (
      SELECT status FROM call WHERE tenant_id = ${tenantId} AND id = ${callId}::uuid FOR NO KEY UPDATE
    )
    SELECT (SELECT status FROM held) AS status FROM (SELECT count(*) FROM key) AS locked
  `.execute(em.getKysely());
  return rows[0]?.status ?? null;
}
