import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { claimMessages } from '../../db/outbox/claim-messages.ts';
import { insertOutboxMessage } from '../../db/outbox/insert-message.ts';
import { takeLease } from '../../db/outbox/worker-lease.ts';
import { RenewedLease } from '../../worker/outbox/worker-lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';

let testDatabase: TestDatabase;
let database: Database;
let lease: RenewedLease;
/** What the lease told, with whether it was sure then. */
let told: { what: 'rows free' | 'lost'; isSure: boolean }[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(async () => {
  database = await openDatabase({ url: testDatabase.url, applicationName: 'test' });
  told = [];
  const tell = (what: 'rows free' | 'lost') => () => void told.push({ what, isSure: lease.isSure() });
  lease = new RenewedLease({
    database,
    logger: testLogger(),
    onRowsFree: tell('rows free'),
    onLost: tell('lost'),
  });
});
afterEach(async () => {
  await lease.end();
  await database[Symbol.asyncDispose]();
});
afterAll(() => testDatabase.drop());

async function heldUntil(): Promise<string | undefined> {
  const [row] = await database
    .em()
    .execute<{ held_until: string }[]>(
      `SELECT held_until::text FROM worker_lease WHERE worker_id = '${lease.workerId}'`,
    );
  return row?.held_until;
}

async function untilRenewed(times: number): Promise<void> {
  for (let before = await heldUntil(); times > 0; times -= 1) {
    await until('a renewal', async () => (await heldUntil()) !== before);
    before = await heldUntil();
  }
}

test('once it is sure, rows may be claimed; a renewal alone is nothing to look at', async () => {
  await until('the lease', () => lease.isSure());
  await untilRenewed(2);
  expect(told).toEqual([{ what: 'rows free', isSure: true }]);
});

test('whoever waits hears that the lease is sure again after the database stood still', async () => {
  await until('the lease', () => lease.isSure());
  await using other = await openDatabase({ url: testDatabase.url, applicationName: 'in the way' });
  await other.write(async (em) => {
    await em.execute('LOCK TABLE worker_lease IN EXCLUSIVE MODE');
    await until('an unsure lease', () => !lease.isSure());
    expect(told).toHaveLength(1);
  });
  await until('a sure lease', () => lease.isSure());
  expect(told).toEqual([
    { what: 'rows free', isSure: true },
    { what: 'rows free', isSure: true },
  ]);
});

test('whoever waits hears that rows of another worker came free', async () => {
  const killed = randomUUID();
  await takeLease(database.em(), killed, 1);
  await database.write((em) => insertOutboxMessage(em, { kind: 'retryDelivery', workflowId: 'orphan' }));
  expect(await claimMessages(database.em(), killed, 1)).toHaveLength(1);
  await until('the rows to be free', () => told.length === 2);
  expect(await claimMessages(database.em(), lease.workerId, 1)).toHaveLength(1);
});
