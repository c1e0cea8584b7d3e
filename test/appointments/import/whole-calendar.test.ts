import { expect, test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { byPractice } from './whole-calendar.ts';

const api = await suiteApi();

test('a practice’s calendar is read back as it was imported, again, and after two professionals have swapped', async () => {
  expect(await byPractice(api, { weeksBack: 1, weeksAhead: 1 })).toBeGreaterThan(300);
});
