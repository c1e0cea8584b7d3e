import { sql, type RawBuilder } from 'kysely';
import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

export interface ClaimedMessage {
  /** A bigint as text. */
  id: string;
  message: OutboxMessage;
  /** How often it has failed before. */
  failures: number;
}

/** Asks Temporal for something once the caller's transaction has committed. */
export async function insertOutboxMessage(em: EntityManager, message: OutboxMessage): Promise<void> {
  await sql`
    INSERT INTO outbox (ordering_key, message)
    VALUES (${orderingKey(message)}, ${JSON.stringify(message)}::jsonb)
  `.execute(em.getKysely());
}

/** Claims messages that are no deliveries and not put off, oldest first. One waits while an earlier one of its key is there. */
export function claimMessages(em: EntityManager, workerId: string, limit: number): Promise<ClaimedMessage[]> {
  return claim(
    em,
    workerId,
    sql`
      SELECT id
      FROM outbox candidate
      WHERE endpoint_id IS NULL
        AND due_at IS NULL
        AND available_at <= clock_timestamp()
        AND (
          ordering_key IS NULL
          OR NOT EXISTS (
            SELECT FROM outbox earlier
            WHERE earlier.ordering_key = candidate.ordering_key
              AND earlier.id < candidate.id
          )
        )
      ORDER BY id
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    `,
  );
}

/**
 * Claims messages whose workflow has to run only at some later time, the nearest first.
 * @param within only those due within so many seconds
 */
export function claimTimers(
  em: EntityManager,
  workerId: string,
  { limit, within }: { limit: number; within: number | null },
): Promise<ClaimedMessage[]> {
  return claim(
    em,
    workerId,
    sql`
      SELECT id
      FROM outbox
      WHERE due_at <= coalesce(clock_timestamp() + make_interval(secs => ${within}), 'infinity')
        AND available_at <= clock_timestamp()
      ORDER BY due_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    `,
  );
}

async function claim(
  em: EntityManager,
  workerId: string,
  due: RawBuilder<unknown>,
): Promise<ClaimedMessage[]> {
  const { rows } = await prepared<ClaimedMessage>(em)`
    WITH due AS (${due})
    UPDATE outbox
    SET claimed_by = ${workerId}, available_at = 'infinity'
    FROM due
    WHERE outbox.id = due.id
    RETURNING outbox.id::text AS "id", outbox.message AS "message", outbox.failures AS "failures"
  `;
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

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
export async function findOutboxBacklog(em: EntityManager): Promise<OutboxBacklog> {
  const { rows } = await sql<OutboxBacklog>`
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
          HAVING endpoint_id IS NULL OR attempted OR bool_or(failures > 0) OR NOT bool_or(claimed_by IS NOT NULL)
        ) oldest
      )::float8 AS "oldestAgeSeconds",
      (array_agg(last_error ORDER BY id) FILTER (WHERE failures > 0))[1] AS "lastError"
    FROM outbox
  `.execute(em.getKysely());
  const [backlog] = rows;
  if (!backlog) throw new Error('an aggregate without GROUP BY returned no row');
  return backlog;
}
