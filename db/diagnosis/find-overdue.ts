import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { OVERDUE_AFTER_SECONDS } from '../../domain/diagnosis/overdue.ts';
import { firstRow, type EntityManager } from '../connection/statements.ts';

/**
 * Rows that were due before this time are overdue. It is the statement's time, because an index search needs a constant
 * value.
 */
export const A_WHILE_AGO = sql`statement_timestamp() - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;

export const OVERDUE = z.object({
  count: z.number(),
  oldestIds: z.array(z.string()),
  seconds: z.number(),
  workflowId: z.string(),
  isInOutbox: z.boolean(),
  lastError: z.string().nullable(),
});

/**
 * A summary of overdue rows, with the outbox state of the oldest; null without any.
 * @param overdue rows of `id`, `due_at` and `workflow_id`, whose outbox messages have that workflow as ordering key
 */
export function findOverdue(em: EntityManager, overdue: RawBuilder<unknown>) {
  return firstRow(em, OVERDUE)`
    WITH overdue AS (${overdue}),
    oldest AS (
      SELECT id, due_at, workflow_id
      FROM overdue
      ORDER BY due_at, id
      LIMIT 3
    )
    SELECT
      (SELECT count(*) FROM overdue)::integer AS count,
      ARRAY(SELECT id FROM oldest ORDER BY due_at, id) AS oldest_ids,
      extract(epoch FROM clock_timestamp() - due_at)::float8 AS seconds,
      workflow_id,
      asked.id IS NOT NULL AS is_in_outbox,
      asked.last_error
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
  `;
}
