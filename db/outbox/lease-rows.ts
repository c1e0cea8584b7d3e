import { sql } from 'kysely';
import { z } from 'zod';
import { changedRows, onlyRow, run, valuesOf, type EntityManager } from '../connection/statements.ts';

/** Ids of the leases that last. A row claimed under another one is as good as free. */
export const LIVING_LEASES = sql`(SELECT worker_id FROM worker_lease WHERE held_until > statement_timestamp())`;

/** Its holder counts as one that does not reach Temporal until it renews the lease. */
export function takeLease(em: EntityManager, workerId: string, seconds: number) {
  return run(em)`
    INSERT INTO worker_lease (worker_id, held_until, temporal_away_since)
    VALUES (${workerId}, clock_timestamp() + make_interval(secs => ${seconds}), clock_timestamp())
  `;
}

/** Returns false when the lease has ended and another worker has taken what was claimed under it. */
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
  /** A worker that lives has reached it. */
  isReached: z.boolean(),
  /** Since when no worker that lives has; null when none lives, or one has reached it. ISO 8601, by the database's clock. */
  awaySince: z.string().nullable(),
});

export function whatWorkersSayOfTemporal(em: EntityManager) {
  return onlyRow(em, WORKERS_ON_TEMPORAL)`
    SELECT
      coalesce(bool_or(temporal_away_since IS NULL), false) AS "isReached",
      CASE WHEN bool_and(temporal_away_since IS NOT NULL)
        THEN to_char(max(temporal_away_since) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      END AS "awaySince"
    FROM worker_lease
    WHERE held_until > statement_timestamp()
  `;
}

/** Leases that were renewed so much later than another one have not been away together with it. */
const APART_SECONDS = 3;

/**
 * Ends the leases that were not renewed for as long as they last, while the observer's was; returns whose. One under which a claim is
 * being made is left for the next time.
 * @param observer a worker whose own lease was renewed all the time, so that neither the database nor its machine stood still
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
    RETURNING worker_id AS "workerId"
  `;
}

/** Under which ended leases rows are still claimed. Looks at the whole outbox. */
export function findOrphaningLeases(em: EntityManager) {
  return valuesOf(em, z.string())`
    SELECT DISTINCT claimed_by AS "workerId"
    FROM outbox
    WHERE claimed_by IS NOT NULL
      AND NOT EXISTS (SELECT FROM worker_lease WHERE worker_id = claimed_by)
  `;
}

/** Frees what was claimed under leases that have ended, which none ever begins again; returns how many rows. */
export function freeRowsOf(em: EntityManager, endedLeases: readonly string[]) {
  return changedRows(em)`
    UPDATE outbox
    SET claimed_by = NULL, available_at = clock_timestamp()
    WHERE claimed_by = ANY(${[...endedLeases]}::uuid[])
  `;
}

/** Ends a lease. What is claimed under it is to be freed then. */
export function endLease(em: EntityManager, workerId: string) {
  return run(em)`DELETE FROM worker_lease WHERE worker_id = ${workerId}`;
}
