import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createApiClient, wrongPathsIn, type ApiAnswer } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic } from '../support/clinic.ts';
import { aStartedCall } from './call-builders.ts';

const api = await suiteApi();

/** A clinic of its own, so that its list holds only the test's calls. */
async function aFreshClinic() {
  const { tenantId } = await aClinic(api.database);
  return createApiClient(api.url, await api.keyOf({ tenantId }));
}

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString();
const idsOf = (answer: ApiAnswer) => (answer.body['items'] as { id: string }[]).map((call) => call.id);

test('pages hold every call once, latest first, though calls come in between', async () => {
  const client = await aFreshClinic();
  const ids: string[] = [];
  // Three calls begin in the same millisecond: the id decides.
  for (const minute of [1, 2, 2, 2, 3, 4, 5]) {
    ids.push(await aStartedCall(client, { startedAt: at(minute) }));
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.get('/v1/calls', { limit: '2', ...(cursor && { cursor }) });
    expect(page.status).toBe(200);
    seen.push(...idsOf(page));
    cursor = page.body['nextCursor'] as string | null;
    expect(page.body['hasMore']).toBe(cursor !== null);
    await aStartedCall(client, { startedAt: at(30) });
  } while (cursor);
  expect(seen).toEqual([...ids].reverse());
});

test('the list narrows by outcome and by start, from inclusive and to exclusive', async () => {
  const client = await aFreshClinic();
  const ids = [];
  for (const minute of [1, 2, 3]) ids.push(await aStartedCall(client, { startedAt: at(minute) }));
  await client.post(`/v1/calls/${ids[1]}/complete`, { endedAt: at(9), outcome: 'voicemail' });
  expect(idsOf(await client.get('/v1/calls', { from: at(2), to: at(3) }))).toEqual([ids[1]]);
  expect(idsOf(await client.get('/v1/calls', { outcome: 'voicemail' }))).toEqual([ids[1]]);
  expect(idsOf(await client.get('/v1/calls', { outcome: 'abandoned' }))).toEqual([]);
});

test('a limit out of range, a foreign cursor and an unknown outcome are refused together', async () => {
  const appointments = Buffer.from('["appointments",[1,"x"]]').toString('base64url');
  const answer = await api.client.get('/v1/calls', { limit: '201', cursor: appointments, outcome: 'lost' });
  expect(answer.status).toBe(422);
  const paths = wrongPathsIn(answer);
  expect(new Set(paths)).toEqual(new Set(['query.cursor', 'query.limit', 'query.outcome']));
});

test('another clinic sees none of the calls', async () => {
  await aStartedCall(api.client);
  const stranger = await aFreshClinic();
  expect(idsOf(await stranger.get('/v1/calls'))).toEqual([]);
});

test('the detail has metadata and no recording until there is one', async () => {
  const id = await aStartedCall(api.client, { metadata: { language: 'pt' } });
  const { body } = await api.client.get(`/v1/calls/${id}`);
  expect(body['call']).toMatchObject({
    metadata: { language: 'pt' },
    recordingUrl: null,
    recordingExpiresAt: null,
  });
  expect(body['events']).toEqual([]);
  expect((await api.client.get(`/v1/calls/${id}/recording`)).status).toBe(404);
  expect((await api.client.get(`/v1/calls/${uuidv7()}`)).status).toBe(404);
});
