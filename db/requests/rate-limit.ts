import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { MAIL_WINDOW_SECONDS, type RateLimit } from '../../domain/rate-limits.ts';
import { changedRows, onlyRow, run, type EntityManager } from '../connection/statements.ts';

/**
 * Counts one request of `subject` against all limits, or refuses it without counting.
 * @param at the database's clock by default
 */
export async function countRequest(
  em: EntityManager,
  subject: string,
  limits: readonly RateLimit[],
  at?: Date,
): Promise<CountedRequest> {
  const row = await onlyRow(em, COUNTS)`
    SELECT ${COUNT_COLUMNS}
    FROM count_request(${subject}, ${limitsOf(limits)}, ${secondsOf(limits)}, ${at ?? null}) AS count
  `;
  return toCountedRequest(row, limits);
}

/** Removes the latest counted request of `subject`. */
export function uncountRequest(em: EntityManager, subject: string) {
  return run(em)`
    UPDATE request_window
    SET accepted = accepted[: cardinality(accepted) - 1]
    WHERE subject = ${subject}
      AND cardinality(accepted) > 0
  `;
}

/** The state of one limit after a request. */
export interface WindowUse {
  limit: RateLimit;
  remaining: number;
  /** The time until the earliest counted request leaves the window; 0 when none is counted. */
  resetsInMs: number;
}

export interface CountedRequest {
  isAccepted: boolean;
  /** 0 when the request is accepted, otherwise the time until a request would be accepted. */
  retryAfterMs: number;
  /** By the clock of the database. */
  countedAt: Date;
  /** In the order of the limits. */
  windows: WindowUse[];
}

/** The columns returned by `count_request()`. */
export const COUNTS = z.object({
  isAccepted: z.boolean(),
  retryAfterMs: z.number(),
  remaining: z.array(z.number()),
  resetsInMs: z.array(z.number()),
  countedAt: z.date(),
});

/** The columns of `count_request(…) AS count`. */
export const COUNT_COLUMNS = sql`
  count.is_accepted,
  count.retry_after_ms,
  count.remaining,
  count.resets_in_ms,
  count.counted_at`;

export function limitsOf(limits: readonly RateLimit[]): RawBuilder<unknown> {
  return sql`${limits.map(({ requests }) => requests)}::integer[]`;
}

export function secondsOf(limits: readonly RateLimit[]): RawBuilder<unknown> {
  return sql`${limits.map(({ windowSeconds }) => windowSeconds)}::integer[]`;
}

export function toCountedRequest(row: z.infer<typeof COUNTS>, limits: readonly RateLimit[]): CountedRequest {
  return {
    isAccepted: row.isAccepted,
    retryAfterMs: row.retryAfterMs,
    countedAt: row.countedAt,
    windows: limits.map((limit, at) => ({
      limit,
      remaining: row.remaining[at] ?? 0,
      resetsInMs: row.resetsInMs[at] ?? 0,
    })),
  };
}

/** Subjects of mails, which are counted for a day. */
export const MAIL_SUBJECT = 'mail:';

/** Deletes some rows of subjects without a counted request and returns how many. Mails are counted for a day. */
export function purgeRequestWindows(em: EntityManager, idleSeconds: number, atMost: number): Promise<number> {
  return changedRows(em)`
    DELETE FROM request_window
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM request_window
      WHERE coalesce(accepted[cardinality(accepted)], '-infinity') <= clock_timestamp() - make_interval(
        secs => CASE WHEN starts_with(subject, ${MAIL_SUBJECT}) THEN ${MAIL_WINDOW_SECONDS}::integer ELSE ${idleSeconds}::integer END
      )
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    ))
  `;
}
