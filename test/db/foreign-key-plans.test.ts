import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

interface ReferencedKey {
  table: string;
  columns: string[];
  indexes: string[];
}

/** A connection plans each check once, so the plan must be the right one before there are rows or statistics. */
test('every foreign key is checked through an index on just that key, on empty tables too', async () => {
  const { rows: keys } = await client.query<ReferencedKey>(`
    SELECT DISTINCT
      referenced.relname AS "table",
      (SELECT array_agg(attname::text ORDER BY key.nr)
       FROM unnest(confkey) WITH ORDINALITY AS key (number, nr)
       JOIN pg_attribute ON attrelid = confrelid AND attnum = key.number) AS columns,
      (SELECT array_agg(indexrelid::regclass::text)
       FROM pg_index
       WHERE indrelid = confrelid AND indisunique AND indpred IS NULL
         AND indkey::int2[] @> confkey AND indkey::int2[] <@ confkey) AS indexes
    FROM pg_constraint JOIN pg_class AS referenced ON referenced.oid = confrelid
    WHERE contype = 'f'`);
  expect(keys.length).toBeGreaterThan(5);
  await client.query('SET plan_cache_mode = force_generic_plan');

  for (const key of keys) {
    expect({ ...key, isChecked: key.indexes.includes(await indexThatChecks(key)) }).toEqual({
      ...key,
      isChecked: true,
    });
  }
});

async function indexThatChecks({ table, columns }: ReferencedKey): Promise<string> {
  const condition = columns.map((column, at) => `${column} = $${at + 1}`).join(' AND ');
  await client.query(
    `PREPARE key_check AS SELECT 1 FROM ONLY ${table} x WHERE ${condition} FOR KEY SHARE OF x`,
  );
  const { rows } = await client.query(
    `EXPLAIN (FORMAT JSON) EXECUTE key_check (${columns.map(() => 'NULL').join(', ')})`,
  );
  await client.query('DEALLOCATE key_check');
  return rows[0]['QUERY PLAN'][0]['Plan']['Plans'][0]['Index Name'];
}
