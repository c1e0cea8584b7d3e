import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '../../domain/api-scopes.ts';
import type { Sql } from '../open-database.ts';

export interface PresentedKey {
  publicId: string;
  secretHash: Buffer;
}

export interface StoredApiKey {
  id: string;
  tenantId: string;
  secretHash: Buffer;
  scopes: Scope[];
  isExpired: boolean;
  isRevoked: boolean;
}

/**
 * The key with this public id, or null. Notes in the same round trip that it is in use, at most once a minute and only
 * when the secret fits and the key is good.
 */
export async function findApiKey(db: Sql, key: PresentedKey, now: Date): Promise<StoredApiKey | null> {
  const { rows } = await sql<StoredApiKey | { id: null }>`
    /* prepared: find-api-key */
    SELECT ${apiKeyColumns()} FROM ${presentedKey(key, now)}
  `.execute(db.getKysely());
  const [row] = rows;
  return row && row.id !== null ? row : null;
}

/** One row, whether there is such a key or not. */
export function presentedKey({ publicId, secretHash }: PresentedKey, now: Date): RawBuilder<unknown> {
  return sql`use_api_key(${publicId}, ${secretHash}, ${now}) AS presented`;
}

export function apiKeyColumns(): RawBuilder<unknown> {
  return sql`
    presented.id AS "id",
    presented.tenant_id AS "tenantId",
    presented.secret_hash AS "secretHash",
    presented.scopes AS "scopes",
    presented.is_expired AS "isExpired",
    presented.is_revoked AS "isRevoked"`;
}
