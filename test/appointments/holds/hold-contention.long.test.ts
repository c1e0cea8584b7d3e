import { expect, test } from '@jest/globals';
import { suiteDatabase } from '../../support/database.ts';
import { byBusyHolders, countFreeInTheEnd, findDisorder, IN_ORDER } from './busy-holders.ts';

const ATTEMPTS_EACH = 834;

const database = await suiteDatabase({ poolSize: 24, applicationName: 'holders' });

test('20,000 holds, bookings, moves and releases at 40 times: each keeps what it was promised, and no time is lost', async () => {
  const crowd = await byBusyHolders(database, ATTEMPTS_EACH);
  expect(await findDisorder(crowd)).toEqual(IN_ORDER);
  for (const outcome of ['done', 'hold_expired', 'not_found', 'slot_conflict'])
    expect([outcome, Number(crowd.outcomes.get(outcome)) > 50]).toEqual([outcome, true]);
  expect(await countFreeInTheEnd(crowd)).toBe(40);
});
