import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { claimMode, readMode } from '../../db/deployment-mode.ts';
import { aClinic } from '../support/clinic.ts';
import { createTestDatabase, type TestDatabase, openDatabaseAt } from '../support/database.ts';
import { aDataDirectory } from '../support/servers/npm-start.ts';
import { runToEnd } from '../support/servers/run-to-end.ts';

let testDatabase: TestDatabase;
let directory: Awaited<ReturnType<typeof aDataDirectory>>;

beforeEach(async () => {
  [testDatabase, directory] = [await createTestDatabase(), await aDataDirectory()];
});
afterEach(async () => {
  await directory.remove();
  await testDatabase[Symbol.asyncDispose]();
});

const run = (words: string, environment: NodeJS.ProcessEnv = {}) =>
  runToEnd(words, { DATABASE_URL: testDatabase.url, DATA_DIR: directory.path, ...environment });

test.each([
  ['the API', 'api/main.ts'],
  ['a worker', 'worker/main.ts'],
  ['the dashboard', 'dashboard/main.ts'],
  ['an operator’s command', 'admin/main.ts tenant list'],
  ['an update of the schema', 'admin/migrate-main.ts'],
  ['npm start', 'dev/main.ts'],
])('%s in test mode refuses the database of a live service, in words', async (_, words) => {
  await claimMode(testDatabase.url, 'live');
  const { code, said } = await run(words);
  expect([code, said]).toEqual([
    1,
    expect.stringContaining('This database belongs to a live service, but SERVICE_MODE is test'),
  ]);
});

test('a database is of the mode in which its schema was made, or that the first process brings', async () => {
  expect(await readMode(testDatabase.url)).toBeNull();
  expect((await run('admin/migrate-main.ts', { SERVICE_MODE: '' })).code).toBe(0);
  expect(await readMode(testDatabase.url)).toBeNull();
  expect((await run('admin/migrate-main.ts')).code).toBe(0);
  expect(await readMode(testDatabase.url)).toBe('test');
  const claims = await Promise.all([
    claimMode(testDatabase.url, 'live'),
    claimMode(testDatabase.url, 'test'),
  ]);
  expect(claims).toEqual(['test', 'test']);
});

test('npm start takes no clinics from before modes were stored for a test of its own', async () => {
  await using database = await openDatabaseAt(testDatabase.url, { applicationName: 'modes' });
  await aClinic(database);
  const { code, said } = await run('dev/main.ts');
  expect([code, said]).toEqual([1, expect.stringContaining('npm run migrate')]);
  expect(await readMode(testDatabase.url)).toBeNull();
});
