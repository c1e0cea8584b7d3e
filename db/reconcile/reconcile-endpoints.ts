import { sql } from 'kysely';
import { askAgain, isNotInOutbox } from '../outbox/ask-again.ts';
import { pageById, type ReconcilableRows } from './reconcilable.ts';

/** Endpoints that are failing, or of which the clinic has not had its mail. */
export const endpointsToReconcile: ReconcilableRows = {
  page(em, wanted) {
    const rows = sql`
      SELECT id, 'endpoint:' || id AS "workflowId"
      FROM webhook_endpoint
      WHERE id IN (
          SELECT failing.id
          FROM webhook_endpoint failing
          WHERE failing.status = 'failing'
            AND failing.deleted_at IS NULL
            AND failing.failing_since < ${wanted.before}::timestamptz
          UNION
          SELECT endpoint_id FROM notification WHERE mail = 'due' AND created_at < ${wanted.before}::timestamptz
        )
        AND ${isNotInOutbox('ordering_key', sql`'endpoint:' || webhook_endpoint.id`)}
    `;
    return pageById(em, rows, wanted);
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
