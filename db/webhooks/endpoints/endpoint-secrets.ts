import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

export interface ValidSecret {
  /** Encrypted. */
  ciphertext: string;
  createdAtMs: number;
  /** Null for the newest, which goes on until it is rotated. */
  expiresAtMs: number | null;
}

/** What deliveries to the endpoint are signed with now, newest first; at most five. */
export async function validSecrets(
  em: EntityManager,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
): Promise<ValidSecret[]> {
  const { rows } = await sql<ValidSecret>`
    SELECT
      ciphertext,
      (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
      (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs"
    FROM webhook_secret
    WHERE tenant_id = ${tenantId}
      AND endpoint_id = ${endpointId}
      AND (expires_at IS NULL OR expires_at > clock_timestamp())
    ORDER BY created_at DESC, id DESC
  `.execute(em.getKysely());
  return rows;
}
