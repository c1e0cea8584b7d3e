import { onlyRow, type EntityManager } from '../connection/statements.ts';
import { LIVING_LEASES } from './worker-lease.ts';

export interface OutboxBacklog {
  pending: number;
  /** Rows that have failed at least once. */
  failing: number;
  /** Of the rows kept waiting, not of timers put off and of what waits for its endpoint's earlier attempts. 0 without any. */
  oldestAgeSeconds: number;
  /** Of the oldest row that has failed. */
  lastError: string | null;
}

/** For metrics and `doctor`. */
export function findOutboxBacklog(em: EntityManager) {
  return onlyRow<OutboxBacklog>(em)`
    SELECT
      count(*)::integer AS pending,
      (count(*) FILTER (WHERE failures > 0))::integer AS failing,
      (
        SELECT coalesce(extract(epoch FROM clock_timestamp() - min(oldest.created_at)), 0)
        FROM (
          SELECT min(created_at) AS created_at
          FROM outbox
          WHERE due_at IS NULL
          GROUP BY clinic_id, endpoint_id, attempted
          HAVING endpoint_id IS NULL OR attempted OR bool_or(failures > 0) OR NOT bool_or(claimed_by IS NOT NULL AND claimed_by IN ${LIVING_LEASES})
        ) oldest
      )::float8 AS "oldestAgeSeconds",
      (array_agg(last_error ORDER BY id) FILTER (WHERE failures > 0))[1] AS "lastError"
    FROM outbox
  `;
}
