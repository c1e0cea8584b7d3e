import { sql } from 'kysely';
import { z } from 'zod';
import { changedRows, onlyRow, run, valuesOf, type EntityManager } from '../connection/statements.ts';

/** IDs of the valid leases. A row that was claimed under another lease counts as free. */
export const LIVING_LEASES = sql`(SELECT worker_id FROM worker_lease WHERE held_until > statement_timestamp())`;

/** Takes a lease. Until the worker renews it, the worker counts as unable to reach Temporal. */
export function takeLease(em: EntityManager, workerId: string, seconds: number) {
  return run(em)`
    INSERT INTO worker_lease (worker_id, held_until, temporal_away_since)
    VALUES (${workerId}, clock_timestamp() + make_interval(secs => ${seconds}), clock_timestamp())
  `;
}

/** Renews a lease. Returns false when the lease has ended and another worker has freed its rows. */
export async function renewLease(
  em: EntityManager,
  workerId: string,
  { seconds, reachesTemporal }: { seconds: number; reachesTemporal: boolean },
): Promise<boolean> {
  const changed = await changedRows(em)`
    UPDATE worker_lease
    SET
      held_until = clock_timestamp() + make_interval(secs => ${seconds}),
      temporal_away_since = CASE WHEN ${!reachesTemporal} THEN coalesce(temporal_away_since, clock_timestamp()) END
    WHERE worker_id = ${workerId}
  `;
  return changed > 0;
}

const WORKERS_ON_TEMPORAL = z.object({
  /** Whether a running worker can reach Temporal. */
  isReached: z.boolean(),
  /**
   * Since when no running worker has reached Temporal, in ISO 8601, by the database's clock. Null when a worker can
   * reach Temporal or no worker is running.
   */
  awaySince: z.string().nullable(),
});

export function whatWorkersSayOfTemporal(em: EntityManager) {
  return onlyRow(em, WORKERS_ON_TEMPORAL)`
    SELECT
      coalesce(bool_or(temporal_away_since IS NULL), false) AS is_reached,
      CASE WHEN bool_and(temporal_away_since IS NOT NULL)
        THEN to_char(max(temporal_away_since) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      END AS away_since
    FROM worker_lease
    WHERE held_until > statement_timestamp()
  `;
}

/** If two leases were renewed this far apart, the two workers were not interrupted at the same time. */
const APART_SECONDS = 3;

/**
 * Ends expired leases of other workers and returns their IDs. A lease under which a claim is being made is left for the
 * next time. @param observer a worker whose own lease was renewed all the time, which shows that neither the database
 * nor its machine was frozen
 */
export function endLapsedLeases(em: EntityManager, observer: string) {
  return valuesOf(em, z.string())`
    DELETE FROM worker_lease
    WHERE worker_id IN (
      SELECT worker_id
      FROM worker_lease
      WHERE held_until < clock_timestamp()
        AND held_until < (
          SELECT own.held_until - make_interval(secs => ${APART_SECONDS})
          FROM worker_lease own
          WHERE own.worker_id = ${observer}
        )
      FOR UPDATE SKIP LOCKED
    )
    RETURNING worker_id
  `;
}

/** The ended leases under which rows are still claimed. Reads the whole outbox. */
export function findOrphaningLeases(em: EntityManager) {
  return valuesOf(em, z.string())`
    SELECT DISTINCT claimed_by AS worker_id
    FROM outbox
    WHERE claimed_by IS NOT NULL
      AND NOT EXISTS (SELECT FROM worker_lease WHERE worker_id = claimed_by)
  `;
}

/** Frees the rows that were claimed under ended leases, and returns how many. An ended lease is never used again. */
export function freeRowsOf(em: EntityManager, endedLeases: readonly string[]) {
  return changedRows(em)`
    UPDATE outbox
    SET claimed_by = NULL, available_at = clock_timestamp()
    WHERE claimed_by = ANY(${[...endedLeases]}::uuid[])
  `;
}

/** Ends a lease. Rows claimed under it must then be freed. */
export function endLease(em: EntityManager, workerId: string) {
  return run(em)`DELETE FROM worker_lease WHERE worker_id = ${workerId}`;
}
