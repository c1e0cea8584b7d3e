import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { openDatabase, type Database, type DatabaseOptions } from '../../db/connection/open-database.ts';
import { TEMPLATE_DATABASE, testEnvironment } from './environment/test-environment.ts';
import { forSuite } from './for-suite.ts';
import { TEST_SEALING } from './sealing.ts';

const GRACE_MS = 2_000;

/** Disposing drops it, and fails when the test has left a connection open. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/**
 * A migrated database, cloned from the template: one per test file. Nothing is emptied between tests; where it matters,
 * a test creates its own clinic (`clinic.ts`).
 * @param template `template0` for a database without a schema
 */
export async function createTestDatabase(
  templateUrl = testEnvironment('TEST_TEMPLATE_URL'),
  template = TEMPLATE_DATABASE,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(templateUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`),
  );
  return {
    url: urlOf(templateUrl, name),
    [Symbol.asyncDispose]: () => onServer(templateUrl, (client) => dropDatabase(client, name)),
  };
}

type TestDatabaseOptions = Omit<Partial<DatabaseOptions>, 'url'>;

/** Disposing closes and drops it. */
export interface OpenTestDatabase extends Database {
  url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A database as `createTestDatabase` makes it, opened as our processes open it. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<OpenTestDatabase> {
  const own = await createTestDatabase();
  const database = await openDatabaseAt(own.url, options);
  return {
    ...database,
    url: own.url,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

/** An open database that all tests of a suite share. */
export function suiteDatabase(options: TestDatabaseOptions = {}): Promise<OpenTestDatabase> {
  return forSuite(openTestDatabase(options));
}

/** An existing database, opened as our processes open it. */
export function openDatabaseAt(url: string, options: TestDatabaseOptions = {}): Promise<Database> {
  return openDatabase({ sealing: TEST_SEALING, applicationName: 'test', ...options, url });
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  const leaks = await connectionsAfterGrace(client, name);
  await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  if (leaks.length > 0) throw new Error(`the test left connections open: ${leaks.join('; ')}`);
}

/** The server needs a moment to notice a closed pool. */
async function connectionsAfterGrace(client: Client, name: string): Promise<string[]> {
  const deadline = Date.now() + GRACE_MS;
  for (;;) {
    const { rows } = await client.query<{ description: string }>(
      `SELECT format('%s %s: %s', application_name, state, left(query, 80)) AS description
       FROM pg_stat_activity
       WHERE datname = $1 AND backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || Date.now() > deadline) return rows.map(({ description }) => description);
    await client.query('SELECT pg_sleep(0.02)');
  }
}

async function onServer<T>(templateUrl: string, work: (client: Client) => Promise<T>): Promise<void> {
  const client = new Client({ connectionString: urlOf(templateUrl, 'postgres') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(templateUrl: string, database: string): string {
  const url = new URL(templateUrl);
  url.pathname = `/${database}`;
  return url.href;
}
