import { sql } from 'kysely';
import { codeOf, isPassingFailure } from '../../db/connection/database-errors.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';

/** The number of this database's statements that wait for a lock, of all connections or those with this name. */
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
/** Long enough for a slow machine. */
const LIMIT_MS = 120_000;

/** Repeats a call that was refused because of a lock or a lack of connections, as callers do after a 503. */
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
