import { sql, type RawBuilder } from 'kysely';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';

export interface ClaimedMessage {
  /** A bigint as text. */
  id: string;
  message: OutboxMessage;
  /** How often it has failed before. */
  failures: number;
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
 * Claims timers, messages whose workflow has to run only at some later time, that cannot wait, the nearest first: those due
 * within so many seconds, and those whose workflow something else is to be told.
 */
export function claimUrgentTimers(
  em: EntityManager,
  workerId: string,
  { limit, withinSeconds }: { limit: number; withinSeconds: number },
): Promise<ClaimedMessage[]> {
  return claimNearestTimers(
    em,
    workerId,
    limit,
    sql`
      id = ANY(ARRAY(
        (
          SELECT id
          FROM outbox
          WHERE due_at <= statement_timestamp() + make_interval(secs => ${withinSeconds})
            AND available_at <= clock_timestamp()
          ORDER BY due_at
          LIMIT ${limit}
        )
        UNION ALL
        (
          SELECT timer.id
          FROM outbox told
          CROSS JOIN LATERAL (
            SELECT id, due_at, available_at FROM outbox WHERE ordering_key = told.ordering_key OFFSET 0
          ) timer
          WHERE told.endpoint_id IS NULL
            AND told.due_at IS NULL
            AND told.available_at <= clock_timestamp()
            AND timer.due_at IS NOT NULL
            AND timer.available_at <= clock_timestamp()
          LIMIT ${limit}
        )
      ))
    `,
  );
}

/** Claims timers, the nearest first. */
export function claimTimers(em: EntityManager, workerId: string, limit: number): Promise<ClaimedMessage[]> {
  return claimNearestTimers(em, workerId, limit, sql`due_at IS NOT NULL`);
}

/** @param which the condition for a row; another worker may claim one that meets it until it is locked */
function claimNearestTimers(
  em: EntityManager,
  workerId: string,
  limit: number,
  which: RawBuilder<unknown>,
): Promise<ClaimedMessage[]> {
  return claim(
    em,
    workerId,
    sql`
      SELECT id
      FROM outbox
      WHERE ${which}
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
    WHERE id = ANY(ARRAY(SELECT id FROM due))
    RETURNING outbox.id::text AS "id", outbox.message AS "message", outbox.failures AS "failures"
  `;
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}
