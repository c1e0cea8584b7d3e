import { expect, test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { byPractice } from './whole-calendar.ts';

/** On a busy machine. */
const LIMIT_MS = 1_800_000;

const api = await suiteApi();

test(
  'three years of a practice’s calendar are read back as they were imported, again, and after two professionals have swapped',
  async () => {
    expect(await byPractice(api, { weeksBack: 130, weeksAhead: 26 })).toBeGreaterThan(30_000);
  },
  LIMIT_MS,
);
