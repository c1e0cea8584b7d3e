import { afterEach, beforeEach, describe, expect, test, jest } from '@jest/globals';
import { isPassingFailure } from '../../db/connection/database-errors.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { forSuite } from '../support/for-suite.ts';
import { Socket } from 'node:net';
import { withClient, DatabaseHosts } from '../../db/connection/hosts.ts';

let database: Database;

const own = await forSuite(createTestDatabase());

beforeEach(async () => {
  database = await openDatabaseAt(own.url, {
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

/** The operating system probes after two hours by default. */
const SOON_MS = 30_000;

test('every connection to the database, pooled or by itself, finds out soon that the server is gone', async () => {
  await using own = await createTestDatabase();
  const { url } = own;
  const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const database = await openDatabaseAt(url, { applicationName: 'kept alive' });
  try {
    await database.ping();
    const pooled = keepAlive.mock.calls.length;
    expect(pooled).toBeGreaterThan(0);
    await withClient(new DatabaseHosts(url), {}, (client) => client.query('SELECT'));
    expect(keepAlive.mock.calls.length).toBe(pooled + 1);
    for (const [isOn, afterMs] of keepAlive.mock.calls) {
      expect(isOn).toBe(true);
      expect(afterMs).toBeGreaterThan(0);
      expect(afterMs).toBeLessThanOrEqual(SOON_MS);
    }
  } finally {
    keepAlive.mockRestore();
    await database[Symbol.asyncDispose]();
  }
});
