import { sql } from 'kysely';
import { askAgain, isNotInOutbox } from '../outbox/ask-again.ts';
import { pageById, type ReconcilableRows } from './reconcilable.ts';
import { rowsOf, tables } from '../connection/statements.ts';

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
    const rows = await rowsOf<{ endpointId: string; clinicId: string; deactivateAt: Date | null }>(
      tables(em),
    )`
      SELECT
        id AS endpoint_id,
        tenant_id AS clinic_id,
        coalesce(deactivate_at, (
          SELECT max(unsent.deactivate_at)
          FROM notification unsent
          WHERE unsent.endpoint_id = webhook_endpoint.id
            AND unsent.mail = 'due'
        )) AS deactivate_at
      FROM webhook_endpoint
      WHERE id = ANY(${[...ids]}::uuid[])
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `;
    // Without a time it has been corrected and mailed about since the page was read.
    const messages = rows.flatMap(({ deactivateAt: at, ...ids }) =>
      at ? [{ kind: 'endpointFailing' as const, ...ids, deactivateAt: at.toISOString() }] : [],
    );
    return askAgain(em, 'ordering_key', messages);
  },
};
