import { expect, test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { byBusyClients, findDisorder } from './busy-clients.ts';

const REQUESTS_EACH = 834;

const api = await suiteApi();

test('20,000 requests of 24 clients for the same two days: nothing overlaps, nothing deadlocks', async () => {
  const outcomes = await byBusyClients(api, REQUESTS_EACH);
  expect([...outcomes.keys()].sort()).toEqual([
    '200',
    '201',
    'appointment_rescheduled',
    'invalid_status_transition',
    'slot_conflict',
  ]);
  // Each of them often, however the clients take turns on this machine.
  for (const [outcome, times] of outcomes) expect([outcome, times > 100]).toEqual([outcome, true]);
  expect(await findDisorder(api.database)).toEqual({ overlaps: 0, deadlocks: 0 });
});
