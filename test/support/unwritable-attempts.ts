import { sql } from 'kysely';
import type { Database } from '../../db/connection/open-database.ts';

/** Attempts can be read and not written until the returned function is called, as if the disk were full. */
export async function makeAttemptsUnwritable(database: Database): Promise<() => Promise<void>> {
  const run = async (...statements: ReturnType<typeof sql>[]) => {
    for (const statement of statements) await statement.execute(database.em().getKysely());
  };
  await run(
    sql`ALTER TABLE webhook_attempt RENAME TO webhook_attempt_away`,
    sql`CREATE VIEW webhook_attempt AS SELECT * FROM webhook_attempt_away`,
    sql`CREATE RULE refuse AS ON INSERT TO webhook_attempt DO INSTEAD SELECT 1 / 0 FROM webhook_attempt_away`,
  );
  return () =>
    run(sql`DROP VIEW webhook_attempt`, sql`ALTER TABLE webhook_attempt_away RENAME TO webhook_attempt`);
}
