import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { describeFailure } from '../../commands/diagnosis/describe-failure.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { BASELINE, UnreleasedSchemaError } from '../../db/unreleased-schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { aDataDirectory } from '../support/servers/npm-start.ts';
import { runToEnd } from '../support/servers/run-to-end.ts';

let testDatabase: TestDatabase;
let directory: Awaited<ReturnType<typeof aDataDirectory>>;

beforeEach(async () => {
  [testDatabase, directory] = [await createTestDatabase(), await aDataDirectory()];
  await ranMigrations('001-core', '002-calls');
});
afterEach(async () => {
  await directory.remove();
  await testDatabase[Symbol.asyncDispose]();
});

/** And no others. */
async function ranMigrations(...names: string[]): Promise<void> {
  const client = new Client({ connectionString: testDatabase.url });
  await client.connect();
  await client.query('DELETE FROM mikro_orm_migrations');
  await client.query('INSERT INTO mikro_orm_migrations (name) SELECT unnest($1::text[])', [names]);
  await client.end();
}

test.each([
  ['an update of the schema', 'admin/migrate-main.ts'],
  ['npm start', 'dev/main.ts'],
])('%s on a database of before the first release says what it is and what to do', async (_, words) => {
  const { code, said } = await runToEnd(words, { DATABASE_URL: testDatabase.url, DATA_DIR: directory.path });
  expect([code, said]).toEqual([1, expect.stringContaining(`${new UnreleasedSchemaError().message}\n`)]);
  expect(said).not.toContain('already exists');
});

test('so does a look at what is lacking, as doctor takes it', async () => {
  const look = pendingMigrations(testDatabase.url);
  await expect(look).rejects.toThrow(UnreleasedSchemaError);
  expect(describeFailure(await look.catch((error: unknown) => error))).toBe(
    new UnreleasedSchemaError().message,
  );
});

test('a database that a later version has brought up to date lacks nothing', async () => {
  await ranMigrations(BASELINE);
  const sinceThen = await pendingMigrations(testDatabase.url);
  await ranMigrations(BASELINE, ...sinceThen, '999-later');
  expect(await pendingMigrations(testDatabase.url)).toEqual([]);
});
