import { sql } from 'kysely';
import { run, tables, type EntityManager, type RowOf } from '../../connection/statements.ts';
import type { EndpointIds } from './endpoint-deactivation.ts';

/** An encrypted secret. The newest secret has no expiry until it is rotated. */
export type ValidSecret = RowOf<'webhook_secret', 'ciphertext' | 'createdAt' | 'expiresAt'>;

/** The secrets that sign deliveries to the endpoint now, newest first; at most five. */
export function validSecrets(em: EntityManager, { tenantId, endpointId }: EndpointIds) {
  const now = sql<Date>`clock_timestamp()`;
  return tables(em)
    .selectFrom('webhook_secret')
    .select(['ciphertext', 'createdAt', 'expiresAt'])
    .where('tenantId', '=', tenantId)
    .where('endpointId', '=', endpointId)
    .where((secret) => secret.or([secret('expiresAt', 'is', null), secret('expiresAt', '>', now)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Lets the `keep` newest valid secrets of an endpoint expire after `afterSeconds`, unless they expire earlier. Deletes
 * all others, or all secrets if `afterSeconds` is 0.
 */
export async function endSecrets(
  em: EntityManager,
  { tenantId, id: endpointId }: { tenantId: string; id: string },
  { afterSeconds, keep }: { afterSeconds: number; keep: number },
): Promise<void> {
  const kept = afterSeconds === 0 ? 0 : keep;
  await run(em)`
    WITH kept AS (
      SELECT id
      FROM webhook_secret
      WHERE tenant_id = ${tenantId}
        AND endpoint_id = ${endpointId}
        AND (expires_at IS NULL OR expires_at > clock_timestamp())
      ORDER BY created_at DESC, id DESC
      LIMIT ${kept}
    ), erased AS (
      DELETE FROM webhook_secret
      WHERE tenant_id = ${tenantId}
        AND endpoint_id = ${endpointId}
        AND id NOT IN (SELECT id FROM kept)
    )
    UPDATE webhook_secret
    SET expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${afterSeconds}))
    WHERE id IN (SELECT id FROM kept)
  `;
}
