import { sql } from 'kysely';
import { z } from 'zod';
import { onlyValue, type EntityManager } from './statements.ts';

/**
 * The sync mark for polls: no transaction that commits later writes a row with an earlier time. The mark never goes
 * back, even if the server's clock does or a standby with a slow clock takes over. It is usually one to two seconds
 * old, and older while a long transaction runs.
 *
 * First read the mark, then read the rows changed at or after the previous mark. This is correct only for columns whose
 * values are all `CHANGED_AT` or `HELD_CHANGED_AT` of the writing transaction.
 *
 * The login must be able to see the transactions of all processes: either all processes use this login, or it is a
 * member of `pg_read_all_stats`.
 */
export async function findSyncMark(em: EntityManager): Promise<Date> {
  return new Date(await onlyValue(em, z.coerce.number())`SELECT advance_sync_mark()`);
}

/**
 * When the transaction began, or the floor of the marks if that is later. Its value can increase within a statement, so
 * a statement that needs it twice begins with `CHANGING` and reads `CHANGED_AT`.
 */
const BEGAN_AT = sql`
  greatest(now()::timestamptz(3), timestamptz 'epoch' + last_value * interval '1 millisecond')
`;

/** The first part of a statement's WITH: the time of the statement's changes. */
export const CHANGING = sql`
  changing AS MATERIALIZED (SELECT ${BEGAN_AT} AS at FROM change_floor)
`;

/** In a statement with `CHANGING`: the time of its changes, in whole milliseconds. */
export const CHANGED_AT = sql`(SELECT at FROM changing)`;

/**
 * The time of a change to a locked row (`held`), in whole milliseconds: the current time, but later than the row's last
 * change.
 */
export const HELD_CHANGED_AT = sql`
  greatest(
    (SELECT ${BEGAN_AT} FROM change_floor),
    date_trunc('milliseconds', clock_timestamp()),
    updated_at + interval '1 millisecond'
  )
`;
