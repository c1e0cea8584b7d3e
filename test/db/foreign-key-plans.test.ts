import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolSize: 1, applicationName: 'plans' });
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});

interface ReferencedKey {
  table: string;
  columns: string[];
  /** On just these columns. */
  indexes: string[];
}

function run<Row>(statement: string): Promise<Row[]> {
  return database.em().execute<Row[]>(statement);
}

const REFERENCED_KEYS = `
  SELECT DISTINCT
    referenced.relname AS "table",
    (SELECT array_agg(attname::text ORDER BY key.nr)
     FROM unnest(confkey) WITH ORDINALITY AS key (number, nr)
     JOIN pg_attribute ON attrelid = confrelid AND attnum = key.number) AS columns,
    (SELECT array_agg(indexrelid::regclass::text)
     FROM pg_index
     WHERE indrelid = confrelid AND indisunique AND indpred IS NULL
       AND indkey::int2[] @> confkey AND indkey::int2[] <@ confkey) AS indexes
  FROM pg_constraint
  JOIN pg_class AS referenced ON referenced.oid = confrelid
  WHERE contype = 'f'`;

/** A connection plans each check once, so the plan must be the right one before there are rows or statistics. */
test.each([
  ['before any statistics', 'SELECT'],
  ['with statistics of empty tables', 'ANALYZE'],
])('every foreign key is checked through an index on just that key, %s', async (_, prepare) => {
  await run(prepare);
  await run('SET plan_cache_mode = force_generic_plan');
  const keys = await run<ReferencedKey>(REFERENCED_KEYS);
  expect(keys.length).toBeGreaterThan(5);
  for (const key of keys) {
    const index = await indexThatChecks(key);
    expect({ ...key, isOwn: key.indexes.includes(index) }).toEqual({ ...key, isOwn: true });
  }
});

interface Plan {
  'QUERY PLAN': { Plan: { Plans: { 'Index Name': string }[] } }[];
}

async function indexThatChecks({ table, columns }: ReferencedKey): Promise<string> {
  const condition = columns.map((column, at) => `${column} = $${at + 1}`).join(' AND ');
  await run(`PREPARE key_check AS SELECT 1 FROM ONLY ${table} x WHERE ${condition} FOR KEY SHARE OF x`);
  const nulls = columns.map(() => 'NULL').join(', ');
  const [row] = await run<Plan>(`EXPLAIN (FORMAT JSON) EXECUTE key_check (${nulls})`);
  await run('DEALLOCATE key_check');
  return row?.['QUERY PLAN'][0]?.Plan.Plans[0]?.['Index Name'] ?? 'none';
}
