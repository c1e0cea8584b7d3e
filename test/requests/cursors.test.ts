import { describe, expect, test } from '@jest/globals';
import { wrongPathsIn } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';

const api = await suiteApi();

const ID = '00000000-0000-0000-0000-000000000000';
const EVENT_ID = `evt_${'0'.repeat(32)}`;
const since = { updatedSince: '2026-01-01T00:00:00Z' };

/** No server made these: they are what someone gets who takes a cursor apart and puts it together again. */
function forged(list: string, place: unknown): string {
  return Buffer.from(JSON.stringify({ list, place })).toString('base64url');
}

const lists: [path: string, list: string, query: Record<string, string>, place: (ms: unknown) => unknown][] =
  [
    ['/v1/appointments', 'appointments', {}, (ms) => [ms, ID]],
    ['/v1/appointments', 'updated appointments', since, (ms) => [ms, ID, 0]],
    ['/v1/appointments', 'updated appointments', since, (ms) => [0, ID, ms]],
    ['/v1/calls', 'calls', {}, (ms) => [ms, ID]],
    ['/v1/webhook-events', 'events', {}, (ms) => [ms, EVENT_ID]],
  ];

const momentsBeyondStorage = [
  -8.64e15,
  -62_135_596_800_001,
  253_402_300_800_000,
  8.64e15,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  1.5,
  '0',
  null,
];

describe.each(lists)('%s by %s', (path, list, query, place) => {
  test.each(momentsBeyondStorage)('refuses a cursor at the moment %j', async (ms) => {
    const answer = await api.client.get(path, { ...query, cursor: forged(list, place(ms)) });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['query.cursor']]);
  });

  test('takes a cursor at a moment that can be stored', async () => {
    const answer = await api.client.get(path, { ...query, cursor: forged(list, place(0)) });
    expect(answer.status).toBe(200);
  });

  test('says which parameter an empty cursor is', async () => {
    const answer = await api.client.get(path, { ...query, cursor: '' });
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      'query.cursor must be a `nextCursor` of this list.',
    ]);
  });
});

test.each(['/v1/webhook-deliveries', '/v1/notifications'])('%s refuses a forged cursor', async (path) => {
  const answer = await api.client.get(path, { cursor: forged('calls', ID) });
  expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['query.cursor']]);
});

test.each([
  ['/v1/professionals', 'professionals'],
  ['/v1/services', 'services'],
])('%s refuses a cursor with a name that cannot be stored', async (path, list) => {
  const at = (name: string) => api.client.get(path, { cursor: forged(list, { name, id: ID }) });
  expect((await at('Ana')).status).toBe(200);
  const answer = await at('a\0b');
  expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['query.cursor']]);
});
