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

/** Names the workflow that carries these deliveries; nothing else is missing of them. */
export async function carryInBurst(
  em: EntityManager,
  burstWorkflowId: string,
  rows: readonly { outboxId: string; deliveryId: string }[],
): Promise<void> {
  await prepared(em)`
    WITH carried AS (
      DELETE FROM outbox WHERE id = ANY(${rows.map(({ outboxId }) => outboxId)}::bigint[])
    )
    UPDATE webhook_delivery
    SET workflow_id = ${burstWorkflowId}
    WHERE id = ANY(${rows.map(({ deliveryId }) => deliveryId)}::uuid[])
  `;
}
