import { sql, type RawBuilder } from 'kysely';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { prepared, type EntityManager } from '../connection/statements.ts';
import { CLAIMED_ROW_COLUMNS, claimRows, type ClaimedRow } from './claim-rows.ts';
import { dueInTurns, type Waiting } from './turns-of-clinics.ts';

export interface ClaimedMessage extends ClaimedRow {
  message: OutboxMessage;
}

/** Claims messages that are no deliveries (those: `claim-first-attempts.ts`), clinic by clinic in turn. One waits while an earlier one of its key is there. */
export function claimMessages(em: EntityManager, workerId: string, limit: number): Promise<ClaimedMessage[]> {
  return claim(em, workerId, dueInTurns(limit, MESSAGES));
}

const MESSAGES: Waiting = {
  rows: sql`endpoint_id IS NULL AND due_at IS NULL`,
  // Those of a newer version's kinds may not tell, and take one turn together.
  clinic: sql`coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')`,
  mayGo: sql`(
    ordering_key IS NULL
    OR NOT EXISTS (
      SELECT FROM outbox earlier
      WHERE earlier.ordering_key = candidate.ordering_key
        AND earlier.id < candidate.id
    )
  )`,
};

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
function claimNearestTimers(em: EntityManager, workerId: string, limit: number, which: RawBuilder<unknown>) {
  return claim(
    em,
    workerId,
    sql`
      due AS (
        SELECT id
        FROM outbox
        WHERE ${which}
          AND available_at <= clock_timestamp()
        ORDER BY due_at
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      )
    `,
  );
}

/** @param due parts of a statement that end in `due`, the rows to claim, locked */
function claim(em: EntityManager, workerId: string, due: RawBuilder<unknown>) {
  return prepared<ClaimedMessage>(em)`
    WITH ${claimRows(workerId, due)}
    SELECT ${CLAIMED_ROW_COLUMNS}, claimed.message AS "message"
    FROM claimed
    ORDER BY claimed.id
  `;
}
