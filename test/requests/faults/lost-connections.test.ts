import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase, openDatabaseAt } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { forSuite } from '../../support/for-suite.ts';

const POOL_SIZE = 2;

const testDatabase = await forSuite(createTestDatabase());
const database = await openDatabaseAt(testDatabase.url, { applicationName: 'losing', poolSize: POOL_SIZE });
const other = await openDatabaseAt(testDatabase.url, { applicationName: 'cutting' });

afterAll(() => Promise.all([database[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]));

function cut() {
  return other
    .em()
    .execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'losing'`,
    );
}

/** An idle connection that has just died may still be handed out once. */
function untilItWorks() {
  return until('the database to be usable', () =>
    database
      .em()
      .execute('SELECT 1')
      .then(
        () => true,
        () => false,
      ),
  );
}

test('a process that loses more connections in its transactions than it may hold goes on working', async () => {
  for (let lost = 0; lost < 2 * POOL_SIZE; lost += 1) {
    const losing = database.write(async (em) => {
      await cut();
      await em.execute('SELECT 1');
    });
    await expect(losing).rejects.toThrow();
  }
  await untilItWorks();
});

test('it does so, too, when the connection dies under a running query', async () => {
  for (let lost = 0; lost < 2 * POOL_SIZE; lost += 1) {
    const losing = database.write((em) =>
      em.execute(`SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)`),
    );
    await expect(losing).rejects.toThrow();
  }
  await expect(database.em().execute('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  await untilItWorks();
});
