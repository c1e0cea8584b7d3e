import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../../db/connection/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { byBusyHolders, countFreeInTheEnd, findDisorder, IN_ORDER } from './busy-holders.ts';
import { TEST_SEALING } from '../../support/sealing.ts';

const ATTEMPTS_EACH = 834;

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({
    sealing: TEST_SEALING,
    url: testDatabase.url,
    poolSize: 24,
    applicationName: 'holders',
  });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});

test('20,000 holds, bookings, moves and releases at 40 times: each keeps what it was promised, and no time is lost', async () => {
  const crowd = await byBusyHolders(database, ATTEMPTS_EACH);
  expect(await findDisorder(crowd)).toEqual(IN_ORDER);
  for (const outcome of ['done', 'hold_expired', 'not_found', 'slot_conflict'])
    expect([outcome, Number(crowd.outcomes.get(outcome)) > 50]).toEqual([outcome, true]);
  expect(await countFreeInTheEnd(crowd)).toBe(40);
});
