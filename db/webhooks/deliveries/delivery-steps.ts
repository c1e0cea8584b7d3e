import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';
import { prepared } from '../../connection/prepared.ts';

/** Ends open deliveries without another attempt, because their endpoint is off. */
export async function skipDeliveries(em: EntityManager, deliveryIds: readonly string[]): Promise<void> {
  await sql`
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
  `.execute(em.getKysely());
}

/**
 * Ends what a burst carries: nothing else is missing of these deliveries.
 * @param unnamed deliveries that do not name the burst yet
 */
export async function carryInBurst(
  em: EntityManager,
  burstWorkflowId: string,
  { outboxIds, unnamed }: { outboxIds: readonly string[]; unnamed: readonly string[] },
): Promise<void> {
  await prepared(em)`
    WITH carried AS (
      DELETE FROM outbox WHERE id = ANY(${[...outboxIds]}::bigint[])
    )
    UPDATE webhook_delivery
    SET workflow_id = ${burstWorkflowId}
    WHERE id = ANY(${[...unnamed]}::uuid[])
  `;
}
