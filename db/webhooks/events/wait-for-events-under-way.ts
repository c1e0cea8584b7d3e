import { onlyValue, run, tables, type EntityManager } from '../../connection/statements.ts';

/**
 * Waits until every event that is just being written for the endpoint has been committed or given up; holds nothing.
 * Returns the database's time after that.
 */
export async function waitForEventsUnderWay(em: EntityManager, endpointId: string): Promise<Date> {
  // A delivery's foreign key holds its endpoint FOR KEY SHARE; rolling back to the savepoint lets go of the lock again.
  await run(em)`SAVEPOINT events_under_way`;
  await run(em)`SELECT FROM webhook_endpoint WHERE id = ${endpointId} FOR UPDATE`;
  await run(em)`ROLLBACK TO SAVEPOINT events_under_way`;
  return onlyValue<Date>(tables(em))`SELECT clock_timestamp()::timestamptz(3)`;
}
