import { sql } from 'kysely';
import { askAgain, isNotInOutbox } from '../outbox/ask-again.ts';
import type { ReconcilableRows, RowWithWorkflow } from './reconcilable.ts';

/** Endpoints that are failing, or of which the clinic has not had its mail. */
export const endpointsToReconcile: ReconcilableRows = {
  async page(em, { after, limit, before }) {
    const { rows } = await sql<RowWithWorkflow>`
      SELECT id, 'endpoint:' || id AS "workflowId", json_build_array(id::text, '') AS position
      FROM webhook_endpoint
      WHERE id IN (
          SELECT failing.id
          FROM webhook_endpoint failing
          WHERE failing.status = 'failing'
            AND failing.deleted_at IS NULL
            AND failing.failing_since < ${before}::timestamptz
          UNION
          SELECT endpoint_id FROM notification WHERE mail = 'due' AND created_at < ${before}::timestamptz
        )
        AND ${isNotInOutbox('ordering_key', sql`'endpoint:' || webhook_endpoint.id`)}
        AND ${after ? sql`id > ${after[0]}::uuid` : sql`true`}
      ORDER BY id
      LIMIT ${limit}
    `.execute(em.getKysely());
    return rows;
  },
  async restart(em, ids) {
    const { rows } = await sql<{ endpointId: string; clinicId: string; deactivateAtMs: number | null }>`
      SELECT
        id AS "endpointId",
        tenant_id AS "clinicId",
        (extract(epoch FROM coalesce(deactivate_at, (
          SELECT max(unsent.deactivate_at)
          FROM notification unsent
          WHERE unsent.endpoint_id = webhook_endpoint.id
            AND unsent.mail = 'due'
        ))) * 1000)::float8 AS "deactivateAtMs"
      FROM webhook_endpoint
      WHERE id = ANY(${[...ids]}::uuid[])
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `.execute(em.getKysely());
    // Without a time it has been corrected and mailed about since the page was read.
    const messages = rows.flatMap(({ deactivateAtMs, ...ids }) =>
      deactivateAtMs === null
        ? []
        : [
            {
              kind: 'endpointFailing' as const,
              ...ids,
              deactivateAt: new Date(deactivateAtMs).toISOString(),
            },
          ],
    );
    return askAgain(em, 'ordering_key', messages);
  },
};
