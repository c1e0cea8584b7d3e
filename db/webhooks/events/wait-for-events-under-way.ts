import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

/**
 * Waits until every event that is just being written for the endpoint has been committed or given up; holds nothing.
 * Returns the database's time after that.
 */
export async function waitForEventsUnderWay(em: EntityManager, endpointId: string): Promise<Date> {
  // A delivery's foreign key holds its endpoint FOR KEY SHARE; rolling back to the savepoint lets go of the lock again.
  await sql`SAVEPOINT events_under_way`.execute(em.getKysely());
  await sql`SELECT FROM webhook_endpoint WHERE id = ${endpointId} FOR UPDATE`.execute(em.getKysely());
  await sql`ROLLBACK TO SAVEPOINT events_under_way`.execute(em.getKysely());
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM clock_timestamp()::timestamptz(3)) * 1000)::float8 AS ms
  `.execute(em.getKysely());
  return new Date(rows[0]?.ms ?? 0);
}
