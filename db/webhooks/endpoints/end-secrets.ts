import { run, type EntityManager } from '../../connection/statements.ts';

/**
 * Lets the `keep` newest valid secrets of an endpoint end after `afterSeconds`, unless they end before; all others are
 * erased, as are all of them when `afterSeconds` is 0.
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
