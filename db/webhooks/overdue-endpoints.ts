import { sql, type RawBuilder } from 'kysely';
import { OVERDUE_AFTER_SECONDS, type Overdue } from '../../domain/overdue.ts';
import type { EntityManager } from '../connection/open-database.ts';

const LATEST = sql`clock_timestamp() - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;

/** Failing endpoints that should have been switched off; null without any. */
export function findOverdueDeactivations(em: EntityManager): Promise<Overdue | null> {
  return findOverdue(
    em,
    sql`
      SELECT id, id AS endpoint_id, deactivate_at AS due_at
      FROM webhook_endpoint
      WHERE status = 'failing' AND deactivate_at < ${LATEST}
    `,
  );
}

/** Notifications whose mail has been due since they were written; null without any. */
export function findOverdueMails(em: EntityManager): Promise<Overdue | null> {
  return findOverdue(
    em,
    sql`
      SELECT id, endpoint_id, created_at AS due_at
      FROM notification
      WHERE mail = 'due' AND created_at < ${LATEST}
    `,
  );
}

/** @param overdue rows of `id`, `endpoint_id` and `due_at`, which the workflow of the endpoint should have dealt with */
async function findOverdue(em: EntityManager, overdue: RawBuilder<unknown>): Promise<Overdue | null> {
  const { rows } = await sql<Overdue>`
    WITH overdue AS (${overdue}),
    oldest AS (
      SELECT id, due_at, 'endpoint:' || endpoint_id AS workflow_id
      FROM overdue
      ORDER BY due_at, id
      LIMIT 3
    )
    SELECT
      (SELECT count(*) FROM overdue)::integer AS count,
      ARRAY(SELECT id FROM oldest ORDER BY due_at, id) AS "oldestIds",
      extract(epoch FROM clock_timestamp() - due_at)::float8 AS seconds,
      workflow_id AS "workflowId",
      asked.id IS NOT NULL AS "isInOutbox",
      asked.last_error AS "lastError"
    FROM oldest
    LEFT JOIN LATERAL (
      SELECT id, last_error
      FROM outbox
      WHERE ordering_key = oldest.workflow_id
      ORDER BY id
      LIMIT 1
    ) asked ON true
    ORDER BY due_at, oldest.id
    LIMIT 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
