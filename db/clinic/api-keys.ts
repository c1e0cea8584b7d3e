import { sql, type RawBuilder } from 'kysely';
import { ApiKeyEntity, type ApiKeyRow } from '../entities/api-key.entity.ts';
import { onlyValue, rowsOf, type EntityManager } from '../connection/statements.ts';

/** The clinic's keys, also those that have ended, newest first. @param before the id of the last one already shown */
export function listApiKeys(
  em: EntityManager,
  wanted: { tenantId: string; before: string | undefined; limit: number },
): Promise<ApiKeyRow[]> {
  const { tenantId, before, limit } = wanted;
  const where = { tenantId, ...(before && { id: { $lt: before } }) };
  return em.find(ApiKeyEntity, where, { orderBy: { id: 'desc' }, limit });
}

/** Null when the clinic has no such key. */
export function findApiKeyById(em: EntityManager, tenantId: string, id: string): Promise<ApiKeyRow | null> {
  return em.findOne(ApiKeyEntity, { tenantId, id });
}

/** Whether it has ended, also since `now`, when the request came that has waited for its own body or for the clinic. */
export async function hasEnded(em: EntityManager, { expiresAt }: ApiKeyRow, now: Date): Promise<boolean> {
  if (!expiresAt || expiresAt <= now) return expiresAt !== null;
  return onlyValue<boolean>(em)`SELECT ${expiresAt}::timestamptz <= clock_timestamp()`;
}

interface EndingKey {
  tenantId: string;
  keyId: string;
  now: Date;
}

/** Revokes a key and all that were made with it, near and far, of those that are live; returns the ids of these. */
export function revokeWithChildren(em: EntityManager, key: EndingKey): Promise<string[]> {
  return endWithChildren(em, key, sql`revoked_at = ${key.now}`);
}

/** The same at a later instant, unless they end before. */
export function expireWithChildren(em: EntityManager, key: EndingKey, end: Date): Promise<string[]> {
  return endWithChildren(em, key, sql`expires_at = least(expires_at, ${end})`);
}

/** Held in the order in which requests note that keys are in use, so that neither waits for the other for ever. */
async function endWithChildren(
  em: EntityManager,
  { tenantId, keyId, now }: EndingKey,
  ending: RawBuilder<unknown>,
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(em)`
    WITH RECURSIVE family AS (
      SELECT ${keyId}::uuid AS id
      UNION
      SELECT child.id
      FROM family
      JOIN api_key AS child ON child.tenant_id = ${tenantId} AND child.parent_key_id = family.id
      WHERE child.revoked_at IS NULL
        AND (child.expires_at IS NULL OR child.expires_at > ${now})
    ), held AS (
      SELECT id
      FROM api_key
      WHERE tenant_id = ${tenantId}
        AND id IN (SELECT id FROM family)
      ORDER BY public_id
      FOR NO KEY UPDATE
    )
    UPDATE api_key SET ${ending}
    FROM held
    WHERE api_key.id = held.id
    RETURNING api_key.id
  `;
  return rows
    .map(({ id }) => id)
    .filter((id) => id !== keyId)
    .sort();
}
