import { sql } from 'kysely';
import { orderingKey, type OutboxMessage } from '../domain/outbox-message.ts';
import type { Sql } from './open-database.ts';

/** `ordered`: rows with an ordering key, carried out one after the other per key. */
export type OutboxLane = 'ordered' | 'unordered';

export interface ClaimedMessage {
  /** A bigint as text. */
  id: string;
  message: OutboxMessage;
  /** How often it has failed before. */
  failures: number;
}

/** Asks Temporal for something once the caller's transaction has committed. */
export async function insertOutboxMessage(tx: Sql, message: OutboxMessage): Promise<void> {
  await sql`
    INSERT INTO outbox (ordering_key, message)
    VALUES (${orderingKey(message)}, ${JSON.stringify(message)}::jsonb)
  `.execute(tx.getKysely());
}

/**
 * Takes up to `limit` rows of a lane that are due, and keeps them from everybody else for the time of the lease. No
 * transaction stays open meanwhile. A row waits while an earlier one of its key is there.
 */
export async function claimOutboxMessages(
  tx: Sql,
  lane: OutboxLane,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedMessage[]> {
  const inLane = lane === 'ordered' ? IN_ORDERED_LANE : IN_UNORDERED_LANE;
  const { rows } = await sql<ClaimedMessage>`
    WITH due AS (
      SELECT candidate.id
      FROM outbox candidate
      WHERE ${inLane}
        AND candidate.available_at <= clock_timestamp()
      ORDER BY candidate.id
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox
    SET available_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    FROM due
    WHERE outbox.id = due.id
    RETURNING outbox.id::text AS id, outbox.message, outbox.failures
  `.execute(tx.getKysely());
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

const IN_UNORDERED_LANE = sql`candidate.ordering_key IS NULL`;
const IN_ORDERED_LANE = sql`
  candidate.ordering_key IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM outbox earlier
    WHERE earlier.ordering_key = candidate.ordering_key
      AND earlier.id < candidate.id
  )
`;

export async function deleteOutboxMessages(tx: Sql, ids: readonly string[]): Promise<void> {
  await sql`DELETE FROM outbox WHERE id = ANY(${[...ids]}::bigint[])`.execute(tx.getKysely());
}

/** Puts a row off after a failure. `lastError` must hold no patient data. */
export async function deferOutboxMessage(
  tx: Sql,
  id: string,
  delaySeconds: number,
  lastError: string,
): Promise<void> {
  await sql`
    UPDATE outbox
    SET failures = failures + 1,
        last_error = ${lastError},
        available_at = clock_timestamp() + make_interval(secs => ${delaySeconds})
    WHERE id = ${id}
  `.execute(tx.getKysely());
}

export interface OutboxBacklog {
  pending: number;
  /** Rows that have failed at least once. */
  failing: number;
  /** 0 when nothing is pending. */
  oldestAgeSeconds: number;
  /** Of the oldest row that has failed. */
  lastError: string | null;
}

/** For metrics and `doctor`. */
export async function findOutboxBacklog(tx: Sql): Promise<OutboxBacklog> {
  const { rows } = await sql<OutboxBacklog>`
    SELECT
      count(*)::integer AS pending,
      (count(*) FILTER (WHERE failures > 0))::integer AS failing,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "oldestAgeSeconds",
      (array_agg(last_error ORDER BY id) FILTER (WHERE failures > 0))[1] AS "lastError"
    FROM outbox
  `.execute(tx.getKysely());
  const [backlog] = rows;
  if (!backlog) throw new Error('an aggregate without GROUP BY returned no row');
  return backlog;
}
