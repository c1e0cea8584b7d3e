import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isPassingFailure } from '../../db/connection/database-errors.ts';
import { openDatabase, type Database, type EntityManager } from '../../db/connection/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_SEALING } from '../support/sealing.ts';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

beforeEach(async () => {
  database = await openDatabase({
    sealing: TEST_SEALING,
    url: own.url,
    applicationName: 'test-limits',
    poolSize: 1,
    statementTimeoutMs: 300,
  });
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

async function settingOf(em: EntityManager, name: string): Promise<unknown> {
  const [row] = await em.execute<[{ value: string }]>(`SELECT current_setting(?) AS value`, [name]);
  return row.value;
}

async function backendOf(em: EntityManager): Promise<number> {
  const [row] = await em.execute<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
  return row.pid;
}

test('a statement that takes too long is undone, which says that it may be tried again', async () => {
  const slow = database.em().execute('SELECT pg_sleep(60)');
  const error = await slow.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: '57014' });
  expect(isPassingFailure(error)).toBe(true);
});

test('a transaction that is forgotten ends, whatever connection it is on', async () => {
  for (const em of [database.em(), database.admission()]) {
    expect(await settingOf(em, 'idle_in_transaction_session_timeout')).toBe('30s');
  }
});

test('a connection that PostgreSQL ended is given to no one', async () => {
  const suicide = database.em().execute('SELECT pg_terminate_backend(pg_backend_pid())');
  await expect(suicide).rejects.toMatchObject({ code: '57P01' });
  await database.em().execute('SELECT 1');
});

describe('when PostgreSQL freezes under a statement', () => {
  test.each([
    ['alone', (work: (em: EntityManager) => Promise<unknown>) => work(database.em())],
    ['in a transaction', (work: (em: EntityManager) => Promise<unknown>) => database.write(work)],
  ])('%s, its connection is given up and its place is free', async (_how, run) => {
    let frozen = 0;
    const stuck = run(async (em) => {
      frozen = await backendOf(em);
      process.kill(frozen, 'SIGSTOP');
      await em.execute('SELECT 1');
    });
    const error = await stuck.catch((reason: unknown) => reason);
    expect(isPassingFailure(error)).toBe(true);
    expect(await backendOf(database.em())).not.toBe(frozen);
    process.kill(frozen, 'SIGCONT');
  });
});

test('requests are admitted while others hold every connection', async () => {
  await database.write(async () => {
    expect(await settingOf(database.admission(), 'statement_timeout')).toBe('3s');
    await database.ping();
  });
});
