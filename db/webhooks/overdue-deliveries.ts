import { sql } from 'kysely';
import type { Overdue } from '../../domain/overdue.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { aWhileAgo } from '../outbox/find-overdue.ts';

export interface OverdueDeliveries extends Overdue {
  status: 'pending' | 'retrying';
  /** Number of the attempt that they wait for. */
  attempt: number;
}

/**
 * Open deliveries whose next attempt is overdue, by that attempt. Left out is what waits for earlier attempts at its own
 * endpoint, where attempts are being made: docs/decisions/0011-shares-of-attempts.md
 */
export async function findOverdueDeliveries(em: EntityManager): Promise<OverdueDeliveries[]> {
  const { rows } = await sql<OverdueDeliveries>`
    WITH open AS MATERIALIZED (
      SELECT id, workflow_id, endpoint_id, status, attempt_count, next_attempt_at, updated_at
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
    ),
    served AS (
      SELECT endpoint_id
      FROM open
      WHERE attempt_count > 0
        AND updated_at > ${aWhileAgo()}
      UNION
      SELECT endpoint_id
      FROM outbox
      WHERE endpoint_id IS NOT NULL
        AND claimed_by IS NOT NULL
        AND failures = 0
    ),
    overdue AS (
      SELECT
        open.id, workflow_id, status, attempt_count, next_attempt_at, asked.id IS NOT NULL AS is_in_outbox, last_error
      FROM open
      LEFT JOIN outbox asked ON asked.message ->> 'deliveryId' = open.id::text
      WHERE next_attempt_at < ${aWhileAgo()}
        AND NOT (
          open.endpoint_id IN (SELECT endpoint_id FROM served)
          AND (status = 'retrying' OR coalesce(asked.failures = 0, false))
        )
    )
    SELECT
      status,
      attempt_count + 1 AS attempt,
      count(*)::integer AS count,
      (array_agg(id ORDER BY next_attempt_at, id))[1:3] AS "oldestIds",
      extract(epoch FROM clock_timestamp() - min(next_attempt_at))::float8 AS seconds,
      (array_agg(workflow_id ORDER BY next_attempt_at, id))[1] AS "workflowId",
      (array_agg(is_in_outbox ORDER BY next_attempt_at, id))[1] AS "isInOutbox",
      (array_agg(last_error ORDER BY next_attempt_at, id))[1] AS "lastError"
    FROM overdue
    GROUP BY status, attempt_count
    ORDER BY attempt_count
  `.execute(em.getKysely());
  return rows;
}
