import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

export async function deleteOutboxMessages(em: EntityManager, ids: readonly string[]): Promise<void> {
  await prepared(em)`
    DELETE FROM outbox WHERE id = ANY(${[...ids]}::bigint[])
  `;
}

export interface DeferredMessage {
  id: string;
  delaySeconds: number;
  /** Null when nothing has failed. Must hold no patient data. */
  lastError: string | null;
  /** The delivery's first attempt was made: only its workflow is missing. */
  attempted: boolean;
}

/** Puts claimed rows back, to be claimed again after a while. */
export async function deferOutboxMessages(
  em: EntityManager,
  messages: readonly DeferredMessage[],
): Promise<void> {
  await sql`
    UPDATE outbox
    SET claimed_by = NULL,
        attempted = outbox.attempted OR deferred.attempted,
        failures = failures + CASE WHEN deferred."lastError" IS NULL THEN 0 ELSE 1 END,
        last_error = coalesce(deferred."lastError", last_error),
        available_at = clock_timestamp() + make_interval(secs => deferred."delaySeconds")
    FROM json_to_recordset(${JSON.stringify(messages)}::json) AS deferred (
      id bigint, "delaySeconds" float8, "lastError" text, attempted boolean
    )
    WHERE outbox.id = deferred.id
  `.execute(em.getKysely());
}

/** A row of the delivery that rests after a failure may be claimed now. */
export async function hastenOutboxMessage(em: EntityManager, deliveryId: string): Promise<void> {
  await sql`
    UPDATE outbox
    SET available_at = clock_timestamp()
    WHERE message ->> 'deliveryId' = ${deliveryId}
      AND claimed_by IS NULL
  `.execute(em.getKysely());
}
