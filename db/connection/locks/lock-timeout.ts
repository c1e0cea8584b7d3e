import { sql, type RawBuilder } from 'kysely';

/**
 * How long a statement waits for a rival's transaction; then it fails with SQLSTATE 55P03, and all that is written together
 * with it. How long one may run at all: open-database.ts.
 */
export const WAIT_FOR_RIVALS_MS = { alone: 5000, together: 250 };

/** `SET LOCAL` as a table of one row: what waits is the statement itself, which has no transaction around it to set it in. */
export function lockTimeout(milliseconds: number): RawBuilder<unknown> {
  return sql`set_config('lock_timeout', ${String(milliseconds)}, true)`;
}
