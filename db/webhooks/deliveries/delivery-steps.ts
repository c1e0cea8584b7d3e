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

/** The deliveries name the burst that is the record of them. */
export async function nameBurst(
  em: EntityManager,
  burstWorkflowId: string,
  deliveryIds: readonly string[],
): Promise<void> {
  await prepared(em)`
    UPDATE webhook_delivery
    SET workflow_id = ${burstWorkflowId}
    WHERE id = ANY(${[...deliveryIds]}::uuid[])
  `;
}
