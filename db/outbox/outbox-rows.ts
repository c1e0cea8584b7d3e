import { sql } from 'kysely';
import { orderingKey, type OutboxMessage } from '../../domain/outbox-message.ts';
import { attemptsUnderWay, hasWholeShare, holdPlaces } from './first-attempts.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { dueInOrder, dueInTurn } from './outbox-lanes.ts';

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
export async function insertOutboxMessage(em: EntityManager, message: OutboxMessage): Promise<void> {
  await sql`
    INSERT INTO outbox (ordering_key, message)
    VALUES (${orderingKey(message)}, ${JSON.stringify(message)}::jsonb)
  `.execute(em.getKysely());
}

/**
 * Takes up to `limit` rows of a lane that are due, and keeps them from everybody else for the time of the lease. No
 * transaction stays open meanwhile. A row waits while an earlier one of its key is there, and a first attempt while its
 * endpoint or clinic has its share of attempts under way.
 */
export async function claimOutboxMessages(
  em: EntityManager,
  lane: OutboxLane,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    ${sql.raw(`/* prepared: claim-${lane}-outbox */`)}
    WITH RECURSIVE
    ${lane === 'ordered' ? dueInOrder(limit) : dueInTurn(limit)},
    claimed AS (
      UPDATE outbox
      SET available_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM due
      WHERE outbox.id = due.id
      RETURNING outbox.id, outbox.message, outbox.failures, outbox.clinic_id, outbox.endpoint_id
    ),
    ${holdPlaces()}
    SELECT id::text AS id, message, failures FROM claimed
  `.execute(em.getKysely());
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

export async function deleteOutboxMessages(em: EntityManager, ids: readonly string[]): Promise<void> {
  await sql`DELETE FROM outbox WHERE id = ANY(${[...ids]}::bigint[])`.execute(em.getKysely());
}

/** Puts a row off after a failure; a first attempt gives its place back. `lastError` must hold no patient data. */
export async function deferOutboxMessage(
  em: EntityManager,
  id: string,
  delaySeconds: number,
  lastError: string,
): Promise<void> {
  await sql`
    WITH put_off AS (
      UPDATE outbox
      SET failures = failures + 1,
          last_error = ${lastError},
          available_at = clock_timestamp() + make_interval(secs => ${delaySeconds})
      WHERE id = ${id}
      RETURNING message
    )
    DELETE FROM first_attempt
    USING put_off
    WHERE first_attempt.delivery_id = (put_off.message ->> 'deliveryId')::uuid
  `.execute(em.getKysely());
}

export interface OutboxBacklog {
  pending: number;
  /** Rows that have failed at least once. */
  failing: number;
  /** Of the rows that Temporal is kept waiting for, not of what waits for its endpoint's earlier attempts. 0 without any. */
  oldestAgeSeconds: number;
  /** Of the oldest row that has failed. */
  lastError: string | null;
}

/** For metrics and `doctor`. */
export async function findOutboxBacklog(em: EntityManager): Promise<OutboxBacklog> {
  const { rows } = await sql<OutboxBacklog>`
    WITH ${attemptsUnderWay()}
    SELECT
      count(*)::integer AS pending,
      (count(*) FILTER (WHERE failures > 0))::integer AS failing,
      (
        SELECT coalesce(extract(epoch FROM clock_timestamp() - min(oldest.created_at)), 0)
        FROM (
          SELECT clinic_id, endpoint_id, min(created_at) AS created_at, bool_or(failures > 0) AS has_failed
          FROM outbox
          GROUP BY clinic_id, endpoint_id
        ) oldest
        WHERE oldest.endpoint_id IS NULL
          OR oldest.has_failed
          OR ${hasWholeShare(sql`oldest.clinic_id`, sql`oldest.endpoint_id`)}
      )::float8 AS "oldestAgeSeconds",
      (array_agg(last_error ORDER BY id) FILTER (WHERE failures > 0))[1] AS "lastError"
    FROM outbox
  `.execute(em.getKysely());
  const [backlog] = rows;
  if (!backlog) throw new Error('an aggregate without GROUP BY returned no row');
  return backlog;
}
