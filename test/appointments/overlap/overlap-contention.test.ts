import { expect, test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { byOverlappingClients, KNOWN_ANSWERS } from './overlapping-clients.ts';

const api = await suiteApi();

test('only an appointment that asked for it overlaps others, and none takes the time of a hold', async () => {
  const outcomes = await byOverlappingClients(api, 600);
  expect([...outcomes.keys()].filter((said) => !KNOWN_ANSWERS.includes(said))).toEqual([]);
});
