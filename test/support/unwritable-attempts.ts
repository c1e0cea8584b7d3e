import { sql } from 'kysely';
import type { Database } from '../../db/connection/open-database.ts';

/** Attempts can be read and not written until the returned function is called, because the disk is full. */
export async function makeAttemptsUnwritable(database: Database): Promise<() => Promise<void>> {
  const run = async (...statements: ReturnType<typeof sql>[]) => {
    for (const statement of statements) await statement.execute(database.em().getKysely());
  };
  await run(
    sql`
      CREATE FUNCTION refuse_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full';
      END $$
    `,
    sql`CREATE TRIGGER refuse BEFORE INSERT ON webhook_attempt EXECUTE FUNCTION refuse_attempt()`,
  );
  return () => run(sql`DROP FUNCTION refuse_attempt CASCADE`);
}
