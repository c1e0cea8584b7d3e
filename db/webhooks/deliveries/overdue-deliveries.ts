import { sql } from 'kysely';
import { z } from 'zod';
import { onlyRow, rowsOf, type EntityManager } from '../../connection/statements.ts';
import { A_WHILE_AGO, OVERDUE } from '../../diagnosis/find-overdue.ts';
import { PAUSED_ENDPOINTS } from '../endpoints/paused-endpoints.ts';
import { LIVING_LEASES } from '../../outbox/lease-rows.ts';

const OVERDUE_DELIVERIES = OVERDUE.omit({ workflowId: true }).extend({
  workflowIds: z.array(z.string()),
  status: z.enum(['pending', 'retrying']),
  /** The number of the next attempt. */
  attempt: z.number(),
});
export type OverdueDeliveries = z.infer<typeof OVERDUE_DELIVERIES>;

/** The number of workflows per group that operators are shown. */
const NAMED = 10;

/** Statement parts that end in `due`: deliveries whose attempt is overdue, and not because their endpoint is paused. */
const DUE = sql`
  open AS MATERIALIZED (
    SELECT id, workflow_id, endpoint_id, status, attempt_count, next_attempt_at, updated_at
    FROM webhook_delivery
    WHERE status IN ('pending', 'retrying')
  ),
  served AS (
    SELECT endpoint_id
    FROM open
    WHERE attempt_count > 0
      AND updated_at > ${A_WHILE_AGO}
    UNION
    SELECT endpoint_id
    FROM outbox
    WHERE endpoint_id IS NOT NULL
      AND claimed_by IN ${LIVING_LEASES}
      AND failures = 0
  ),
  due AS (
    SELECT
      open.id, workflow_id, status, attempt_count, next_attempt_at, asked.id IS NOT NULL AS is_in_outbox, last_error,
      open.endpoint_id IN (SELECT endpoint_id FROM served)
        AND (status = 'retrying' OR coalesce(asked.failures = 0, false)) AS has_earlier_ones
    FROM open
    LEFT JOIN outbox asked ON asked.message ->> 'deliveryId' = open.id::text
    WHERE next_attempt_at < ${A_WHILE_AGO}
      AND open.endpoint_id NOT IN ${PAUSED_ENDPOINTS}
  )
`;

/**
 * Open deliveries whose next attempt is overdue by more than `OVERDUE_AFTER_SECONDS`, grouped by attempt number and
 * outbox state. Deliveries that wait for earlier attempts at their endpoint are left out:
 * docs/decisions/0011-shares-of-attempts.md
 */
export function findOverdueDeliveries(em: EntityManager) {
  return rowsOf(em, OVERDUE_DELIVERIES)`
    WITH ${DUE}
    SELECT
      status,
      attempt_count + 1 AS attempt,
      count(*)::integer AS count,
      extract(epoch FROM clock_timestamp() - min(next_attempt_at))::float8 AS seconds,
      (array_agg(id ORDER BY next_attempt_at, id))[1:${NAMED}] AS oldest_ids,
      (array_agg(workflow_id ORDER BY next_attempt_at, id))[1:${NAMED}] AS workflow_ids,
      is_in_outbox,
      last_error
    FROM due
    WHERE NOT has_earlier_ones
    GROUP BY status, attempt_count, is_in_outbox, last_error
    ORDER BY attempt_count, min(next_attempt_at)
  `;
}

const DELIVERIES_ON_TIME = z.object({
  /** Deliveries that are late because they wait for earlier attempts to their endpoint. */
  inLine: z.number(),
  /** The number of these that are retries. */
  retriesInLine: z.number(),
  /** The IDs of the three that have waited longest. */
  inLineIds: z.array(z.string()),
  /** Deliveries that are not due yet. */
  inTime: z.number(),
});
export type DeliveriesOnTime = z.infer<typeof DELIVERIES_ON_TIME>;

/** Counts open deliveries that are not overdue. */
export function countDeliveriesOnTime(em: EntityManager) {
  return onlyRow(em, DELIVERIES_ON_TIME)`
    WITH ${DUE}
    SELECT
      count(*)::integer AS in_line,
      count(*) FILTER (WHERE status = 'retrying')::integer AS retries_in_line,
      coalesce((array_agg(id ORDER BY next_attempt_at, id))[1:3], '{}') AS in_line_ids,
      (SELECT count(*) FROM open WHERE next_attempt_at > clock_timestamp())::integer AS in_time
    FROM due
    WHERE has_earlier_ones
  `;
}

const QUEUED_RETRY = z.object({
  id: z.string(),
  workflowId: z.string(),
  /** The attempt number. */
  attempt: z.number(),
  /** Time since it was due. */
  seconds: z.number(),
});
export type QueuedRetry = z.infer<typeof QUEUED_RETRY>;

/** The queued retries that have waited longest and have no outbox row. */
export function findQueuedRetries(em: EntityManager, limit: number) {
  return rowsOf(em, QUEUED_RETRY)`
    WITH ${DUE}
    SELECT
      id,
      workflow_id,
      attempt_count + 1 AS attempt,
      extract(epoch FROM clock_timestamp() - next_attempt_at)::float8 AS seconds
    FROM due
    WHERE has_earlier_ones
      AND status = 'retrying'
      AND NOT is_in_outbox
    ORDER BY next_attempt_at, id
    LIMIT ${limit}
  `;
}
