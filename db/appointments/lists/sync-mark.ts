import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

/** A transaction fixes its start a moment before others can see it run; a second covers that by far. */
const MARGIN = '1 second';

/**
 * The instant that no row still to be committed can fall behind: `updated_at` is never before the start of its
 * transaction, and every transaction that runs now, of whatever kind, began at or after this mark. Ask before reading rows.
 * The service's processes must share one database role, or `pg_stat_activity` hides their transactions.
 */
export async function findSyncMark(em: EntityManager): Promise<Date> {
  const { rows } = await sql<{ mark_ms: number }>`
    SELECT (extract(epoch FROM date_trunc('milliseconds',
      least(clock_timestamp(), min(xact_start)) - ${MARGIN}::interval)) * 1000)::float8 AS mark_ms
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND backend_type = 'client backend'
      AND pid <> pg_backend_pid()
  `.execute(em.getKysely());
  return new Date(rows[0]?.mark_ms ?? 0);
}
