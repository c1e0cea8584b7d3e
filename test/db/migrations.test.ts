import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { Client } from 'pg';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { NonBlockingMigration } from '../../db/migrations/non-blocking-migration.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let testDatabase: TestDatabase;
let client: Client;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  client = await connected();
});

afterEach(async () => {
  await client.end();
  await testDatabase[Symbol.asyncDispose]();
});

async function connected(): Promise<Client> {
  const connection = new Client({ connectionString: testDatabase.url });
  await connection.connect();
  return connection;
}

/** Of a version to come: a foreign key keeps those waiting who write clinics. */
class LettersMigration extends Migration {
  override up(): void {
    this.addSql('CREATE TABLE letter (id uuid PRIMARY KEY, tenant_id uuid NOT NULL REFERENCES tenant (id))');
  }
}
const LETTERS = { name: '002-letters', class: LettersMigration };

class ClinicsByCityMigration extends NonBlockingMigration {
  override up(): void {
    this.buildIndex('tenant_by_city', 'ON tenant (city)');
  }
}
const CLINICS_BY_CITY = { name: '002-clinics-by-city', class: ClinicsByCityMigration };

class LettersAgainMigration extends LettersMigration {}
const LETTERS_AGAIN = { name: '003-letters-again', class: LettersAgainMigration };

test('two updates that start at the same moment on an empty database make its schema once', async () => {
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

  const ran = await Promise.all([migrate(testDatabase.url), migrate(testDatabase.url)]);

  const [none, all] = ran.toSorted((a, b) => a.length - b.length);
  const { rows } = await client.query<{ name: string }>('SELECT name FROM mikro_orm_migrations ORDER BY id');
  expect(none).toEqual([]);
  expect(all).toEqual(rows.map(({ name }) => name));
  expect(await pendingMigrations(testDatabase.url)).toEqual([]);
});

test('a migration that meets a lock steps aside after a while, is tried again, and runs when the lock is gone', async () => {
  const booking = await connected();
  await booking.query('BEGIN; LOCK TABLE tenant IN ROW EXCLUSIVE MODE');

  const migration = migrate(testDatabase.url, { migrationsList: [LETTERS] });
  await until('the migration waits', async () => (await waiting()) === 1);
  await until('it steps aside', async () => (await waiting()) === 0);
  await until('it tries again', async () => (await waiting()) === 1);
  await booking.query('COMMIT');

  expect(await migration).toEqual(['002-letters']);
  await booking.end();
});

test('an index is built while clinics write, and replaces what an interrupted attempt has left', async () => {
  await client.query(`CREATE INDEX tenant_by_city ON tenant (name); SET lock_timeout = '1s'`);
  const booking = await connected();
  await booking.query('BEGIN; LOCK TABLE tenant IN ROW EXCLUSIVE MODE');

  const migration = migrate(testDatabase.url, { migrationsList: [CLINICS_BY_CITY] });
  await until('the migration waits', async () => (await waiting()) === 1);
  await client.query('UPDATE tenant SET city = NULL');
  await booking.query('COMMIT');

  expect(await migration).toEqual(['002-clinics-by-city']);
  const { rows } = await client.query(
    `SELECT pg_get_indexdef(indexrelid, 1, false) AS "column", indisvalid AS "isWhole"
     FROM pg_index WHERE indexrelid = 'tenant_by_city'::regclass`,
  );
  expect(rows).toEqual([{ column: 'city', isWhole: true }]);
  await booking.end();
});

test('what has run stays when a later migration fails, and the rest is still lacking', async () => {
  const migrations = { migrationsList: [LETTERS, LETTERS_AGAIN] };
  expect(await pendingMigrations(testDatabase.url, migrations)).toEqual(['002-letters', '003-letters-again']);
  await expect(migrate(testDatabase.url, migrations)).rejects.toThrow('"letter" already exists');
  expect(await pendingMigrations(testDatabase.url, migrations)).toEqual(['003-letters-again']);
});

async function waiting(): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(`
    SELECT count(*)::integer AS waiting
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.waiting ?? 0;
}
