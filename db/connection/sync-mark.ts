import { sql } from 'kysely';
import { z } from 'zod';
import { onlyValue, type EntityManager } from './statements.ts';

/**
 * A mark for polls, "everything that changed since": a row that a transaction still to be committed writes, now or later,
 * is not dated before it. It never goes back, also when the server's clock does or a standby with a slow clock takes over.
 * It is usually one to two seconds old, and older while a transaction runs long.
 *
 * Take the mark, then read the rows dated at or after the one before. It holds for a column whose every value is
 * `CHANGED_AT` or `HELD_CHANGED_AT` of the transaction that writes it, and for no other.
 *
 * The login must see the transactions of all processes: it is their one login, or a member of `pg_read_all_stats`.
 */
export async function findSyncMark(em: EntityManager): Promise<Date> {
  return new Date(await onlyValue(em, z.coerce.number())`SELECT advance_sync_mark()`);
}

/**
 * When the transaction began, or the floor of the marks when that is later. Read again it can be later still, so a
 * statement that needs it twice begins with `CHANGING` and reads `CHANGED_AT`.
 */
const BEGAN_AT = sql`
  greatest(now()::timestamptz(3), timestamptz 'epoch' + last_value * interval '1 millisecond')
`;

/** The first part of a statement's WITH: the instant of its changes. */
export const CHANGING = sql`
  changing AS MATERIALIZED (SELECT ${BEGAN_AT} AS at FROM change_floor)
`;

/** In a statement with `CHANGING`: the instant of its changes, in whole milliseconds. */
export const CHANGED_AT = sql`(SELECT at FROM changing)`;

/** The instant of a change to a row that is held: the clock's, and later than the row's last change. In whole milliseconds. */
export const HELD_CHANGED_AT = sql`
  greatest(
    (SELECT ${BEGAN_AT} FROM change_floor),
    date_trunc('milliseconds', clock_timestamp()),
    updated_at + interval '1 millisecond'
  )
`;
