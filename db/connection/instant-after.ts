import { sql, type RawBuilder } from 'kysely';

/**
 * The database's clock in whole milliseconds, and later than `last` even when that clock was set back. Ask for it outside
 * the subquery that locks: PostgreSQL computes what stands beside FOR UPDATE before it waits for the lock.
 */
export function instantAfter(last: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`greatest(date_trunc('milliseconds', clock_timestamp()), ${last} + interval '1 millisecond')`;
}
