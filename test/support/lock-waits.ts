import { sql } from 'kysely';
import { codeOf, isPassingFailure } from '../../db/connection/database-errors.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';

/** How many statements of this database wait for someone's lock: all, or those of the connections with this name. */
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

/** SQLSTATE. */
const DEADLOCK = '40P01';
/** As long as a slow machine may take. */
const LIMIT_MS = 120_000;

/** Asks again, as a caller does who is answered 503, when a rival has kept a lock or others all connections for too long. */
export async function askAgainWhenBusy<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = isPassingFailure(error) && codeOf(error) !== DEADLOCK;
      if (!isBusy || performance.now() > deadline) throw error;
    }
  }
}
