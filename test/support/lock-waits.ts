import { sql } from 'kysely';
import type { EntityManager } from '../../db/connection/open-database.ts';

/** How many statements of this database wait for somebody's lock: all, or those of the connections with this name. */
export async function lockWaits(em: EntityManager, applicationName?: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*)::integer AS waiting
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND wait_event_type = 'Lock'
      AND application_name = coalesce(${applicationName ?? null}::text, application_name)
  `.execute(em.getKysely());
  return rows[0]?.waiting ?? 0;
}
