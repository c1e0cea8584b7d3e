import { prepared, run, type EntityManager } from '../connection/statements.ts';
import type { ClaimedRow } from './claim-rows.ts';

/** Deletes finished rows, except rows that were claimed under another lease in the meantime. */
export async function deleteClaimed(em: EntityManager, rows: readonly ClaimedRow[]): Promise<void> {
  for (const [lease, ids] of idsByLease(rows)) {
    await run(prepared(em))`
      DELETE FROM outbox
      WHERE id = ANY(${ids}::bigint[])
        AND claimed_by = ${lease}::uuid
    `;
  }
}

/** Groups rows by lease. Usually there is one lease; a worker takes another only after losing it. */
function idsByLease(rows: readonly ClaimedRow[]): [lease: string, ids: string[]][] {
  const byLease = Map.groupBy(rows, ({ claimedBy }) => claimedBy);
  return [...byLease].map(([lease, of]) => [lease, of.map(({ outboxId }) => outboxId)]);
}

/** How a row is returned to the outbox. */
export interface PutBack {
  delaySeconds: number;
  /** Null when nothing failed. Must not contain patient data. */
  lastError: string | null;
  /** Whether the first attempt was made, so that only the workflow must be started. */
  attempted: boolean;
}

/**
 * Returns claimed rows to the outbox, to be claimed again after a while, except rows that another worker has claimed
 * meanwhile.
 */
export function putClaimedBack(
  em: EntityManager,
  rows: readonly (Pick<ClaimedRow, 'outboxId' | 'claimedBy'> & PutBack)[],
) {
  return run(em)`
    UPDATE outbox
    SET claimed_by = NULL,
        attempted = outbox.attempted OR deferred.attempted,
        failures = failures + CASE WHEN deferred."lastError" IS NULL THEN 0 ELSE 1 END,
        last_error = coalesce(deferred."lastError", last_error),
        available_at = clock_timestamp() + make_interval(secs => deferred."delaySeconds")
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS deferred (
      "outboxId" bigint, "claimedBy" uuid, "delaySeconds" float8, "lastError" text, attempted boolean
    )
    WHERE outbox.id = deferred."outboxId"
      AND outbox.claimed_by = deferred."claimedBy"
  `;
}

/** Makes a delivery's row that waits for a retry claimable now. */
export function hastenOutboxMessage(em: EntityManager, deliveryId: string) {
  return run(em)`
    UPDATE outbox
    SET available_at = clock_timestamp()
    WHERE message ->> 'deliveryId' = ${deliveryId}
      AND claimed_by IS NULL
  `;
}
