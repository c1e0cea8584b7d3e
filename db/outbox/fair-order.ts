import { sql, type RawBuilder } from 'kysely';

/** Whose a message is, as its indexes have it. Kinds of a newer version may not name their clinic; they take one turn together. */
export const CLINIC_OF_MESSAGE = `coalesce(message ->> 'clinicId', message -> 'delivery' ->> 'tenantId', '')`;

export interface Waiting {
  /** The condition of an index on `clinic` and `first` that holds these rows of the outbox alone. */
  rows: RawBuilder<unknown>;
  /** Whose a row is. */
  clinic: RawBuilder<unknown>;
  /** By what the rows of a clinic are sorted; by default `id`, oldest first. */
  first?: RawBuilder<unknown>;
  /** What a row, here called `candidate`, must meet beside, to be claimed. */
  mayGo?: RawBuilder<unknown>;
}

/**
 * The part `due` of a statement: the rows of its part `next`, locked, but for those that another claim has. Another worker may have
 * claimed, recorded and freed a row since this statement began: PostgreSQL checks these conditions again on the row as it is now, and
 * no others.
 * @param rows what `next` chose the rows by, beside their time
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
 * Parts of a statement that end in `due`: rows that are not put off, locked. Clinics take turns, so that one row is not kept
 * waiting by another clinic's ten thousand; those of a clinic go in the order of `first`.
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
