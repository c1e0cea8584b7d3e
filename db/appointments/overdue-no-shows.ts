import { sql } from 'kysely';
import { OVERDUE_AFTER_SECONDS, type Overdue } from '../../domain/overdue.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Confirmed appointments that nobody has marked as no-shows, though they should be; null without any. */
export async function findOverdueNoShows(em: EntityManager, graceSeconds: number): Promise<Overdue | null> {
  const { rows } = await sql<Overdue>`
    WITH overdue AS (
      SELECT id, starts_at, 'appointment:' || id AS workflow_id
      FROM appointment
      WHERE status = 'confirmed'
        AND starts_at < clock_timestamp() - make_interval(secs => ${graceSeconds + OVERDUE_AFTER_SECONDS})
        AND created_at < clock_timestamp() - make_interval(secs => ${OVERDUE_AFTER_SECONDS})
    ),
    oldest AS (
      SELECT id, starts_at, workflow_id
      FROM overdue
      ORDER BY starts_at, id
      LIMIT 3
    )
    SELECT
      (SELECT count(*) FROM overdue)::integer AS count,
      ARRAY(SELECT id FROM oldest ORDER BY starts_at, id) AS "oldestIds",
      extract(epoch FROM clock_timestamp() - starts_at)::float8 - ${graceSeconds}::float8 AS seconds,
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
    ORDER BY starts_at, oldest.id
    LIMIT 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
