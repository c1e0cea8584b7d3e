import { sql } from 'kysely';
import type { Scope } from '../../domain/api-scopes.ts';
import type { Sql } from '../open-database.ts';

/** How old `last_used_at` may grow before a use is written down. */
const LAST_USED_GRAIN_SECONDS = 60;

export interface StoredApiKey {
  id: string;
  tenantId: string;
  secretHash: Buffer;
  scopes: Scope[];
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/**
 * The key with this public id, or null. Notes in the same round trip that it is in use, at most once a minute and only
 * when the secret fits and the key is good.
 */
export async function findApiKey(
  db: Sql,
  presented: { publicId: string; secretHash: Buffer },
  now: Date,
): Promise<StoredApiKey | null> {
  const { rows } = await sql<StoredApiKey>`
    WITH used AS (
      UPDATE api_key
      SET last_used_at = ${now}
      WHERE public_id = ${presented.publicId}
        AND secret_hash = ${presented.secretHash}
        AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${now})
        AND (last_used_at IS NULL OR last_used_at < ${now}::timestamptz - make_interval(secs => ${LAST_USED_GRAIN_SECONDS}))
    )
    SELECT
      id,
      tenant_id AS "tenantId",
      secret_hash AS "secretHash",
      scopes,
      expires_at AS "expiresAt",
      revoked_at AS "revokedAt"
    FROM api_key
    WHERE public_id = ${presented.publicId}
  `.execute(db.getKysely());
  return rows[0] ?? null;
}
