import type { Database } from '../../db/connection/open-database.ts';
import { until } from './until.ts';

/** Delays the next query about a delivery by a second after its rows are read. */
export async function answerLate(
  database: Database,
): Promise<{ asked(): Promise<unknown>; end(): Promise<void> }> {
  await database.em().execute(`
    CREATE SEQUENCE questions;
    ALTER TABLE webhook_event RENAME TO webhook_event_read_late;
    CREATE VIEW webhook_event AS
    SELECT * FROM webhook_event_read_late WHERE nextval('questions') > 1 OR pg_sleep(1) IS NOT NULL`);
  return {
    asked: () =>
      until('the question', async () => {
        const asleep = await database
          .em()
          .execute<unknown[]>(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
          );
        return asleep.length > 0;
      }),
    async end() {
      await database.em().execute(`
        DROP VIEW webhook_event;
        DROP SEQUENCE questions;
        ALTER TABLE webhook_event_read_late RENAME TO webhook_event`);
    },
  };
}
