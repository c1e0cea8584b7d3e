import { expect, test } from '@jest/globals';
import { suiteDatabase } from '../../support/database.ts';
import { byBusyHolders, countFreeInTheEnd, findDisorder, IN_ORDER } from './busy-holders.ts';

const database = await suiteDatabase({ poolSize: 24, applicationName: 'holders' });

test('24 clients after the same 40 times: each keeps what it was promised, and no time is lost', async () => {
  const crowd = await byBusyHolders(database, 25);
  expect(await findDisorder(crowd)).toEqual(IN_ORDER);
  expect(await countFreeInTheEnd(crowd)).toBe(40);
});
