import { sql } from 'kysely';
import { isNotInOutbox } from '../outbox/ask-again.ts';
import { askForDeliveries } from '../outbox/ask-for-deliveries.ts';
import type { ReconcilableRows, RowWithWorkflow } from './reconcilable.ts';

/** Deliveries that are neither made nor given up. */
export const deliveriesToReconcile: ReconcilableRows = {
  async page(em, { after, limit, before }) {
    const { rows } = await sql<RowWithWorkflow>`
      SELECT id, workflow_id AS "workflowId", json_build_array(endpoint_id::text, id::text) AS position
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
        AND created_at < ${before}::timestamptz
        AND ${isNotInOutbox('deliveryId', sql`webhook_delivery.id::text`)}
        AND ${after ? sql`(endpoint_id, id) > (${after[0]}::uuid, ${after[1]}::uuid)` : sql`true`}
      ORDER BY endpoint_id, id
      LIMIT ${limit}
    `.execute(em.getKysely());
    return rows;
  },
  async restart(em, ids) {
    const { rows } = await sql<{ id: string }>`
      SELECT id
      FROM webhook_delivery
      WHERE id = ANY(${[...ids]}::uuid[])
        AND status IN ('pending', 'retrying')
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `.execute(em.getKysely());
    return askForDeliveries(
      em,
      rows.map(({ id }) => id),
    );
  },
};
