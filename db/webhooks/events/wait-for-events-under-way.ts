import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

/** Waits until every event that is just being written for the endpoint has been committed or given up; holds nothing. */
export async function waitForEventsUnderWay(em: EntityManager, endpointId: string): Promise<void> {
  // A delivery's foreign key holds its endpoint FOR KEY SHARE; rolling back to the savepoint lets go of the lock again.
  await sql`SAVEPOINT events_under_way`.execute(em.getKysely());
  await sql`SELECT FROM webhook_endpoint WHERE id = ${endpointId} FOR UPDATE`.execute(em.getKysely());
  await sql`ROLLBACK TO SAVEPOINT events_under_way`.execute(em.getKysely());
}
