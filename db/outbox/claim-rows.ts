import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';

/** An outbox row that a worker has claimed. No other worker touches it while the lease lasts. */
export const CLAIMED_ROW = z.object({
  /** A bigint as text. */
  outboxId: z.string(),
  /** The lease under which it was claimed. */
  claimedBy: z.string(),
  /** How often it has failed. */
  failures: z.number(),
});
export type ClaimedRow = z.infer<typeof CLAIMED_ROW>;

/** With a lease that ends sooner, nothing is claimed, so that there is time to start the claimed work. */
const LASTS_AT_LEAST_SECONDS = 1;

/**
 * Statement parts that end in `claimed`: the claimed rows of `due`. The claim locks the lease until it commits, so the
 * lease cannot end meanwhile. If the lease ended while waiting for the lock, nothing is claimed.
 * @param due statement parts that end in `due`: the rows to claim, locked
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

/** The columns of a `ClaimedRow` from the table `claimed`. */
export const CLAIMED_ROW_COLUMNS = sql`
  claimed.id::text AS outbox_id, claimed.claimed_by, claimed.failures
`;
