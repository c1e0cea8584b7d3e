import { prepared, run, type EntityManager } from '../../connection/statements.ts';

/** Ends open deliveries without another attempt, because their endpoint is disabled. */
export function skipDeliveries(em: EntityManager, deliveryIds: readonly string[]) {
  return run(em)`
    UPDATE webhook_delivery
    SET status = 'skipped', next_attempt_at = NULL, updated_at = clock_timestamp()
    WHERE id IN (
      SELECT id
      FROM webhook_delivery
      WHERE id = ANY(${[...deliveryIds]}::uuid[])
        AND status IN ('pending', 'retrying')
      ORDER BY id
      FOR NO KEY UPDATE
    )
  `;
}

/** Sets the burst that records these deliveries. */
export async function nameBurst(em: EntityManager, burstWorkflowId: string, deliveryIds: readonly string[]) {
  await run(prepared(em))`
    UPDATE webhook_delivery
    SET workflow_id = ${burstWorkflowId}
    WHERE id = ANY(${[...deliveryIds]}::uuid[])
  `;
}
