import type { Pool } from 'pg';

/** SQL that makes an index or a constraint again, after it was dropped. */
interface Dropped {
  drop: string;
  make: string;
}

const SETTINGS = {
  // Checkpoints would write each page again and again.
  max_wal_size: `'4GB'`,
  checkpoint_timeout: `'30min'`,
  autovacuum: 'off',
};

/**
 * Fills tables with millions of rows: their indexes are made afterwards, foreign keys are not looked up (the rows agree by how they
 * are made), and what is lost by a crash is made again. Keys stay, for other tables rest on them.
 * @param sql a pool of one connection
 */
export async function loadInBulk(
  sql: Pool,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const dropped = await indexesOf(sql, tables);
  for (const [name, value] of Object.entries(SETTINGS))
    await sql.query(`ALTER SYSTEM SET ${name} = ${value}`);
  await sql.query('SELECT pg_reload_conf()');
  await sql.query(`SET session_replication_role = replica`);
  await sql.query(`SET synchronous_commit = off`);
  await sql.query(`SET maintenance_work_mem = '1GB'`);
  for (const { drop } of dropped) await sql.query(drop);
  await load();
  for (const { make } of dropped) await told(make, () => sql.query(make));
  for (const table of tables) await told(`VACUUM ${table}`, () => sql.query(`VACUUM (ANALYZE) ${table}`));
  for (const name of Object.keys(SETTINGS)) await sql.query(`ALTER SYSTEM RESET ${name}`);
  await sql.query('SELECT pg_reload_conf()');
  await sql.query('CHECKPOINT');
  await sql.query('RESET ALL');
}

/** Anyone who watches sees how far it is, and what takes its time. */
export async function told<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const done = await work();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stderr.write(`  ${seconds} s: ${what.split('\n', 1)[0]?.slice(0, 100)}\n`);
  return done;
}

async function indexesOf(sql: Pool, tables: readonly string[]): Promise<Dropped[]> {
  const { rows } = await sql.query<Dropped>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
     FROM pg_constraint
     WHERE contype = 'x' AND conrelid::regclass::text = ANY($1)
     UNION ALL
     SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
     FROM pg_index
     WHERE indrelid::regclass::text = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [tables],
  );
  return rows;
}
