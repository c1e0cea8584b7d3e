import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '../../domain/api-scopes.ts';
import type { Sql } from '../open-database.ts';

/** How old `last_used_at` may grow before a use is written down. */
const LAST_USED_GRAIN_SECONDS = 60;

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
  const { rows } = await sql<StoredApiKey>`
    WITH ${presentedKey(key, now)}
    SELECT ${apiKeyColumns()}
    FROM presented
  `.execute(db.getKysely());
  return rows[0] ?? null;
}

/**
 * `presented`, the key with this public id, `is_good` or not; and its use noted down.
 * Hashes of 190 random bits may be compared by SQL: how far two agree tells nothing about the key.
 */
export function presentedKey({ publicId, secretHash }: PresentedKey, now: Date): RawBuilder<unknown> {
  return sql`
    presented AS (
      SELECT
        api_key.*,
        secret_hash = ${secretHash}
          AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ${now}) AS is_good,
        coalesce(expires_at <= ${now}, false) AS is_expired
      FROM api_key
      WHERE public_id = ${publicId}
    ),
    used AS (
      UPDATE api_key
      SET last_used_at = ${now}
      FROM presented
      WHERE api_key.id = presented.id
        AND presented.is_good
        AND (
          api_key.last_used_at IS NULL
          OR api_key.last_used_at < ${now}::timestamptz - make_interval(secs => ${LAST_USED_GRAIN_SECONDS})
        )
    )`;
}

export function apiKeyColumns(): RawBuilder<unknown> {
  return sql`
    presented.id AS "id",
    presented.tenant_id AS "tenantId",
    presented.secret_hash AS "secretHash",
    presented.scopes AS "scopes",
    presented.is_expired AS "isExpired",
    presented.revoked_at IS NOT NULL AS "isRevoked"`;
}
