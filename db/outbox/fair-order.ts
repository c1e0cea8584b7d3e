import { sql, type RawBuilder } from 'kysely';

/**
 * The clinic of a message, as in the indexes. Messages of newer versions that do not name a clinic count as one clinic.
 */
export const CLINIC_OF_MESSAGE = `coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')`;

export interface Waiting {
  /** The condition of an index on `clinic` and `first` that contains only these rows. */
  rows: RawBuilder<unknown>;
  /** The clinic of a row. */
  clinic: RawBuilder<unknown>;
  /** The order within a clinic; by default `id`, oldest first. */
  first?: RawBuilder<unknown>;
  /** A further condition on a row, which is called `candidate`. */
  mayGo?: RawBuilder<unknown>;
}

/**
 * The statement part `due`: the rows of `next`, locked, except those locked by another claim. Another worker may have
 * changed a row since this statement began; PostgreSQL checks only these conditions again on the current row.
 * @param rows the condition with which `next` chose rows, besides their time
 */
export function lockedDue(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    due AS (
      SELECT id
      FROM outbox
      WHERE id = ANY(ARRAY(SELECT id FROM next))
        AND ${rows}
        AND available_at <= clock_timestamp()
      FOR UPDATE SKIP LOCKED
    )
  `;
}

/**
 * Statement parts that end in `due`: available rows, locked. Clinics take turns, so that a row does not wait behind ten
 * thousand rows of another clinic. Within a clinic, `first` sets the order.
 */
export function dueInFairOrder(limit: number, waiting: Waiting): RawBuilder<unknown> {
  return sql`
    RECURSIVE ${waitingClinics(waiting)},
    turn AS (
      SELECT id, row_number() OVER (PARTITION BY clinic ORDER BY first) AS turn
      FROM waiting
      CROSS JOIN LATERAL (${oldestOfClinic(limit, waiting)}) oldest
    ),
    next AS (
      SELECT id
      FROM turn
      -- By chance, because with more clinics than places the oldest would come first each time.
      ORDER BY turn, random()
      LIMIT ${limit}
    ),
    ${lockedDue(waiting.rows)}
  `;
}

/** A loose index scan, backwards as in `waiting-endpoints.ts`. */
function waitingClinics({ rows, clinic }: Waiting): RawBuilder<unknown> {
  const lastClinic = (before: RawBuilder<unknown>) => sql`
    SELECT ${clinic} AS clinic
    FROM outbox
    WHERE ${rows}
      ${before}
    ORDER BY ${clinic} DESC
    LIMIT 1
  `;
  return sql`
    waiting AS (
      (${lastClinic(sql``)})
      UNION ALL
      SELECT following.clinic
      FROM waiting
      CROSS JOIN LATERAL (${lastClinic(sql`AND ${clinic} < waiting.clinic`)}) following
    )
  `;
}

function oldestOfClinic(
  limit: number,
  { rows, clinic, first = sql`id`, mayGo }: Waiting,
): RawBuilder<unknown> {
  return sql`
    SELECT id, ${first} AS first
    FROM outbox candidate
    WHERE ${rows}
      AND ${clinic} = waiting.clinic
      AND available_at <= clock_timestamp()
      ${mayGo ? sql`AND ${mayGo}` : sql``}
    ORDER BY ${first}
    LIMIT ${limit}
  `;
}
