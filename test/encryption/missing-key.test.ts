import { expect, test } from '@jest/globals';
import { aCallBody, aStartedCall, CALLER, CLINIC_NUMBER, eventsOf } from '../calls/call-builders.ts';
import type { ApiAnswer } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';

const api = await suiteApi();
const { client, clinic } = api;

const SEALED = {
  call: ['from_number_sealed', 'to_number_sealed'],
  webhook_event: ['body'],
  idempotency_record: ['sealed'],
} as const;

/** As if the rows had been written under a key that is not in the list, or as they were. */
async function renameKey(table: keyof typeof SEALED, where: string, parameter: string): Promise<void> {
  const em = api.database.em();
  for (const column of SEALED[table]) {
    await em.execute(
      `UPDATE ${table}
       SET ${column} = overlay(${column} PLACING reverse(substr(${column}, 4, 8)) FROM 4)
       WHERE ${where} = ? AND ${column} LIKE 'v3.%'`,
      [parameter],
    );
  }
}

function callsIn({ body }: ApiAnswer): Record<string, unknown>[] {
  return body['items'] as Record<string, unknown>[];
}

test('a call whose key is missing is listed and shown without its numbers, and the others with theirs', async () => {
  const readable = await aStartedCall(client);
  const sealed = await aStartedCall(client);
  await renameKey('call', 'id', sealed);

  const list = await client.get('/v1/calls');
  expect(list.status).toBe(200);
  expect(callsIn(list).map(({ id, fromNumber, toNumber }) => ({ id, fromNumber, toNumber }))).toEqual([
    { id: sealed, fromNumber: null, toNumber: null },
    { id: readable, fromNumber: CALLER, toNumber: CLINIC_NUMBER },
  ]);
  const shown = await client.get(`/v1/calls/${sealed}`);
  expect(shown.body).toMatchObject({ call: { id: sealed, fromNumber: null, status: 'in_progress' } });
});

test('what needs the numbers of such a call waits for the key: 503, nothing changed, and all well with it', async () => {
  const id = await aStartedCall(client);
  const end = { endedAt: '2026-03-02T09:32:00.000Z', outcome: 'info_only' };
  const attempts = () =>
    Promise.all([
      client.send('PUT', `/v1/calls/${id}`, { body: aCallBody() }),
      client.post(`/v1/calls/${id}/complete`, end),
    ]);
  await renameKey('call', 'id', id);
  for (const { status, body, headers } of await attempts()) {
    expect([status, body['error'], headers.get('retry-after')]).toEqual([
      503,
      'temporarily_unavailable',
      '2',
    ]);
    expect(body['message']).toContain('cannot be decrypted');
  }
  expect(api.log.filter((line) => line.includes('SecretUnreadableError'))).toHaveLength(2);
  expect((await client.get(`/v1/calls/${id}`)).body).toMatchObject({ call: { status: 'in_progress' } });
  await renameKey('call', 'id', id);
  expect((await attempts()).map(({ status }) => status)).toEqual([200, 201]);
});

test('an event whose key is missing is listed; asked for by itself it says what is missing', async () => {
  const callId = await aStartedCall(client);
  const events = await eventsOf(api, 'call.started');
  const { id } = events.find(({ data }) => data.call?.['id'] === callId) ?? { id: '' };
  await renameKey('webhook_event', 'id', id);
  const list = await client.get('/v1/webhook-events', { type: 'call.started' });
  expect(callsIn(list).map((event) => event['id'])).toContain(id);
  const refused = await client.get(`/v1/webhook-events/${id}`);
  expect([refused.status, refused.body['error']]).toEqual([503, 'temporarily_unavailable']);
  await renameKey('webhook_event', 'id', id);
  expect((await client.get(`/v1/webhook-events/${id}`)).body).toMatchObject({
    data: { call: { id: callId } },
  });
});

test('a repeated request whose answer cannot be read is not carried out twice', async () => {
  const ask = () =>
    client.post('/v1/webhook-endpoints', { url: 'https://pms.example/hook' }, { 'idempotency-key': 'once' });
  const first = await ask();
  await renameKey('idempotency_record', 'tenant_id', clinic.tenantId);
  expect((await ask()).status).toBe(503);
  await renameKey('idempotency_record', 'tenant_id', clinic.tenantId);
  const replayed = await ask();
  expect([replayed.status, replayed.text]).toEqual([201, first.text]);
  expect(callsIn(await client.get('/v1/webhook-endpoints'))).toHaveLength(1);
});
