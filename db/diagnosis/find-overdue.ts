import { sql, type RawBuilder } from 'kysely';
import { OVERDUE_AFTER_SECONDS, type Overdue } from '../../domain/diagnosis/overdue.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** What was due before that is overdue. The statement's time: by one that changes meanwhile no index can be searched. */
export function aWhileAgo(): RawBuilder<unknown> {
  return sql`statement_timestamp() - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;
}

/**
 * How overdue rows stand, and what the outbox holds of the oldest; null without any.
 * @param overdue rows of `id`, `due_at` and `workflow_id`, whose messages in the outbox are ordered by that workflow
 */
export async function findOverdue(em: EntityManager, overdue: RawBuilder<unknown>): Promise<Overdue | null> {
  const { rows } = await sql<Overdue>`
    WITH overdue AS (${overdue}),
    oldest AS (
      SELECT id, due_at, workflow_id
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
