import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase, type OpenTestDatabase } from '../../support/database.ts';
import { byBusyHolders, countFreeInTheEnd, findDisorder, IN_ORDER } from './busy-holders.ts';

let database: OpenTestDatabase;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 24, applicationName: 'holders' });
});
afterAll(() => database[Symbol.asyncDispose]());

test('24 clients after the same 40 times: each keeps what it was promised, and no time is lost', async () => {
  const crowd = await byBusyHolders(database, 40);
  expect(await findDisorder(crowd)).toEqual(IN_ORDER);
  expect(await countFreeInTheEnd(crowd)).toBe(40);
});
