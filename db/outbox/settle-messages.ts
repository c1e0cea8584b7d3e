import { prepared, run, type EntityManager } from '../connection/statements.ts';
import type { ClaimedRow } from './claim-rows.ts';

/** Deletes rows that were carried out; one that is no longer claimed under its lease belongs to another worker, and stays. */
export async function deleteClaimed(em: EntityManager, rows: readonly ClaimedRow[]): Promise<void> {
  for (const [lease, ids] of idsByLease(rows)) {
    await prepared(em)`
      DELETE FROM outbox
      WHERE id = ANY(${ids}::bigint[])
        AND claimed_by = ${lease}::uuid
    `;
  }
}

/** Nearly always one: a worker takes another lease only when it has lost the one before. */
function idsByLease(rows: readonly ClaimedRow[]): [lease: string, ids: string[]][] {
  const byLease = Map.groupBy(rows, ({ claimedBy }) => claimedBy);
  return [...byLease].map(([lease, of]) => [lease, of.map(({ outboxId }) => outboxId)]);
}

/** How a row is put back. */
export interface PutBack {
  delaySeconds: number;
  /** Null when nothing has failed. Must hold no patient data. */
  lastError: string | null;
  /** The delivery's first attempt was made: only its workflow is missing. */
  attempted: boolean;
}

/** Puts claimed rows back, to be claimed again after a while; not those that another worker has claimed meanwhile. */
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

/** A row of the delivery that rests after a failure may be claimed now. */
export function hastenOutboxMessage(em: EntityManager, deliveryId: string) {
  return run(em)`
    UPDATE outbox
    SET available_at = clock_timestamp()
    WHERE message ->> 'deliveryId' = ${deliveryId}
      AND claimed_by IS NULL
  `;
}
