import { sql, type RawBuilder } from 'kysely';

/** An outbox row that a worker has claimed. It is its own for as long as the lease lasts. */
export interface ClaimedRow {
  /** A bigint as text. */
  outboxId: string;
  /** The lease under which it was claimed. */
  claimedBy: string;
  /** How often it has failed before. */
  failures: number;
}

/** A lease that ends sooner claims nothing, so that what was claimed may be begun at once. */
const LASTS_AT_LEAST_SECONDS = 1;

/**
 * Parts of a statement that end in `claimed`: the rows of `due`, claimed. The claim holds the lease until it is committed, so
 * no lease ends under it; one that had to wait for a lock until its lease had ended claims nothing.
 * @param due parts of a statement that end in `due`, the rows to claim, locked
 */
export function claimRows(workerId: string, due: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${due},
    lease AS (
      SELECT
      FROM worker_lease
      WHERE worker_id = ${workerId}
        AND held_until > clock_timestamp() + make_interval(secs => ${sql.lit(LASTS_AT_LEAST_SECONDS)})
        -- Who finds nothing writes nothing, not even a lock.
        AND EXISTS (SELECT FROM due)
      FOR KEY SHARE
    ),
    claimed AS (
      UPDATE outbox
      SET claimed_by = ${workerId}, available_at = 'infinity'
      WHERE id = ANY(ARRAY(SELECT id FROM due))
        AND EXISTS (SELECT FROM lease)
      RETURNING outbox.id, outbox.claimed_by, outbox.failures, outbox.message
    )
  `;
}

/** Columns of a `ClaimedRow`, of the table `claimed`. */
export const CLAIMED_ROW_COLUMNS = sql`
  claimed.id::text AS "outboxId", claimed.claimed_by AS "claimedBy", claimed.failures AS "failures"
`;
