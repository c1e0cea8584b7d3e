import { onlyValue, tables, type EntityManager } from '../../connection/statements.ts';

/** A transaction fixes its start a moment before others can see it run; a second covers that by far. */
const MARGIN = '1 second';

/**
 * The instant that no row still to be committed can fall behind: `updated_at` is never before the start of its
 * transaction, and every transaction that runs now, of whatever kind, began at or after this mark. Ask before reading rows.
 * The service's processes must share one database role, or `pg_stat_activity` hides their transactions.
 */
export function findSyncMark(em: EntityManager) {
  return onlyValue<Date>(tables(em))`
    SELECT date_trunc('milliseconds', least(clock_timestamp(), min(xact_start)) - ${MARGIN}::interval)
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND backend_type = 'client backend'
      AND pid <> pg_backend_pid()
  `;
}
