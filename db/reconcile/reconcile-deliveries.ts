import { sql } from 'kysely';
import { anyOf, rowsOf, tables } from '../connection/statements.ts';
import { isNotInOutbox } from '../outbox/ask-again.ts';
import { askForDeliveries } from '../outbox/ask-for-deliveries.ts';
import type { ReconcilableRows, RowWithWorkflow } from './reconcilable.ts';

/** Deliveries that are neither made nor given up. */
export const deliveriesToReconcile: ReconcilableRows = {
  async page(em, { after, limit, before }) {
    return rowsOf<RowWithWorkflow>(em)`
      SELECT id, workflow_id AS "workflowId", json_build_array(endpoint_id::text, id::text) AS position
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
        AND created_at < ${before}::timestamptz
        AND ${isNotInOutbox('deliveryId', sql`webhook_delivery.id::text`)}
        AND ${after ? sql`(endpoint_id, id) > (${after[0]}::uuid, ${after[1]}::uuid)` : sql`true`}
      ORDER BY endpoint_id, id
      LIMIT ${limit}
    `;
  },
  async restart(em, ids) {
    const open = tables(em).selectFrom('webhook_delivery').where('status', 'in', ['pending', 'retrying']);
    const found = open.where('id', '=', anyOf(ids)).select('id').orderBy('id');
    const rows = await found.forNoKeyUpdate().skipLocked().execute();
    return askForDeliveries(
      em,
      rows.map(({ id }) => id),
    );
  },
};
