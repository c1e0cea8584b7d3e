import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../../db/connection/open-database.ts';
import { aClinic, aKey, anEndpoint, book } from '../../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase, openDatabaseAt } from '../../support/database.ts';

let database: OpenTestDatabase;
let other: Database;

beforeEach(async () => {
  database = await openTestDatabase({ poolSize: 1, applicationName: 'plans' });
  other = await openDatabaseAt(database.url, { poolSize: 1, applicationName: 'rows' });
});

afterEach(async () => {
  await other[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface ReferencedKey {
  table: string;
  /** Of the key that is referred to. */
  columns: string[];
  /** Those that can lead to no more than one row. */
  keyIndexes: string[];
}

const REFERENCED_KEYS = `
  SELECT DISTINCT
    confrelid::regclass::text AS "table",
    (SELECT array_agg(attname::text ORDER BY key.nr)
     FROM unnest(confkey) WITH ORDINALITY AS key (number, nr)
     JOIN pg_attribute ON attrelid = confrelid AND attnum = key.number) AS columns,
    (SELECT array_agg(indexrelid::regclass::text)
     FROM pg_index
     WHERE indrelid = confrelid AND indisunique AND indpred IS NULL AND indkey::int2[] <@ confkey) AS "keyIndexes"
  FROM pg_constraint
  WHERE contype = 'f'`;

/** For every column of the table besides the key, an index that begins with the clinic and one that ends with the id. */
const ANY_INDEXES = `
  SELECT format('CREATE INDEX ON %1$s (%2$I, id)', relation, name)
    || CASE WHEN has_tenant THEN format('; CREATE INDEX ON %1$s (tenant_id, %2$I)', relation, name) ELSE '' END AS statement
  FROM columns
  WHERE name NOT IN ('tenant_id', 'id')`;

async function addAnyIndexes(tables: readonly string[]): Promise<void> {
  const statements = await other.em().execute<{ statement: string }[]>(
    `WITH columns AS (
       SELECT attrelid::regclass AS relation, attname AS name, bool_or(attname = 'tenant_id') OVER (PARTITION BY attrelid) AS has_tenant
       FROM pg_attribute
       WHERE attrelid = ANY (?::regclass[]) AND attnum > 0 AND NOT attisdropped
     ) ${ANY_INDEXES}`,
    [`{${tables.join()}}`],
  );
  await other.em().execute(statements.map(({ statement }) => statement).join(';'));
}

/** A row of each table that keys refer to, and of each three thousand copies: of fewer, in rows of many columns, any index would do. */
async function fill(tables: readonly string[]): Promise<void> {
  const clinic = await aClinic(other);
  await anEndpoint(other, clinic.tenantId);
  await aKey(other, clinic.tenantId);
  await book(other, clinic);
  await other.em().execute(
    `INSERT INTO call (id, tenant_id, from_number_sealed, to_number_sealed, from_number_hash, to_number_hash, started_at)
     VALUES (uuidv7(), ?, '', '', '', '', now())`,
    [clinic.tenantId],
  );
  await other.em().execute(
    `INSERT INTO person (id, tenant_id, issuer, subject, name, role, created_at, signed_in_at)
     VALUES (uuidv7(), ?, 'https://identity.example', 'ana', 'Ana', 'owner', now(), now())`,
    [clinic.tenantId],
  );
  const copied = await other.em().execute<{ table: string; columns: string }[]>(
    `SELECT attrelid::regclass::text AS "table", string_agg(attname, ', ') AS columns
     FROM pg_attribute
     WHERE attrelid = ANY (?::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY attrelid`,
    [`{${tables.join()}}`],
  );
  for (const { table, columns } of copied) {
    await other.em().execute(
      `INSERT INTO ${table} (${columns})
       SELECT ${columns.replaceAll(/\w+/g, 'copy.$&')}
       FROM ${table} original
       CROSS JOIN generate_series(1, 3000) nr
       CROSS JOIN LATERAL jsonb_populate_record(
         original,
         jsonb_build_object('id', uuidv7(), 'blocks', false, 'resend_number', nr, 'identity_org_id', nr, 'subject', nr, 'public_id', nr)
       ) copy`,
    );
  }
}

interface Plan {
  'QUERY PLAN': { Plan: { Plans: [{ 'Node Type': string; 'Index Name'?: string }] } }[];
}

async function checkOf({ table, columns }: ReferencedKey): Promise<{ plan: () => Promise<string> }> {
  const name = `check_${table}_${columns.join('_')}`;
  const condition = columns.map((column, at) => `${column} = $${at + 1}`).join(' AND ');
  const run = (statement: string) => database.em().execute<Plan[]>(statement);
  await run(`PREPARE ${name} AS SELECT 1 FROM ONLY ${table} x WHERE ${condition} FOR KEY SHARE OF x`);
  return {
    async plan() {
      const nulls = columns.map(() => 'NULL').join();
      const [row] = await run(`EXPLAIN (FORMAT JSON) EXECUTE ${name} (${nulls})`);
      const [scan] = row?.['QUERY PLAN'][0]?.Plan.Plans ?? [];
      return scan?.['Index Name'] ?? scan?.['Node Type'] ?? 'none';
    },
  };
}

/** PostgreSQL checks a foreign key by a statement that it plans once a connection: here it is prepared the same way. */
test.each([
  ['without statistics', 'SELECT'],
  ['with statistics of empty tables', 'ANALYZE'],
])(
  'foreign keys planned on empty tables %s are checked through their key when there are rows, whatever indexes there are',
  async (_, prepare) => {
    const keys = await other.em().execute<ReferencedKey[]>(REFERENCED_KEYS);
    expect(keys.length).toBeGreaterThan(5);
    const tables = keys.map(({ table }) => table);
    await addAnyIndexes(tables);
    await other.em().execute(prepare);
    await database.em().execute('SET plan_cache_mode = force_generic_plan');
    const checks = [];
    for (const key of keys) {
      const check = await checkOf(key);
      await check.plan();
      checks.push({ key, check });
    }
    await fill(tables);
    // As many uses again as the connection has had.
    for (let use = 0; use < 4 * keys.length; use += 1) await database.em().execute('SELECT');
    for (const { key, check } of checks) {
      expect(key.keyIndexes).toContain(await check.plan());
    }
  },
);
