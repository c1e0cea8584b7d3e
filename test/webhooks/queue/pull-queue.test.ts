import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { Client } from 'pg';
import { verifySignature } from '../../support/queue-reader.ts';
import { createApiClient, wrongPathsIn, type ApiClient } from '../../support/api-client.ts';
import { aClinic, bookingBody, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import type { QueuePage } from '../../support/queue-reader.ts';
import { until } from '../../support/until.ts';
import { anEventFor } from '../recorded-attempts.ts';
import { aPullEndpoint } from './pull-endpoint.ts';

const api = await suiteApi();
const { database } = api;

function idsIn({ items }: QueuePage): string[] {
  return items.map(({ deliveryId }) => deliveryId);
}

test('events wait in the queue as signed texts, and a cursor acknowledges them', async () => {
  const place = await aPullEndpoint(api, { description: 'PMS' });
  expect(await place.shown()).toMatchObject({ delivery: 'pull', url: null });
  const deliveries = [await anEventFor(database, place), await anEventFor(database, place)];
  const ids = deliveries.map(({ id }) => id);
  const [delivery] = deliveries;
  expect(delivery).toMatchObject({ workflowId: null, url: null, status: 'pending', nextAttemptAt: null });
  const shown = await place.client.get(`/v1/webhook-deliveries/${ids[0]}`);
  expect(shown.body).toMatchObject({
    workflowId: null,
    endpointUrl: null,
    nextAttemptAt: null,
    attempts: [],
  });

  const first = await place.read({ limit: 1 });
  expect(idsIn(first)).toEqual([ids[0]]);
  const [item] = first.items;
  if (!item) return;
  expect(JSON.parse(item.event)).toMatchObject({ type: 'nps.submitted' });
  expect(item.headers).toMatchObject({
    'X-Service-Delivery-Id': item.deliveryId,
    'X-Service-Event-Type': 'nps.submitted',
    'X-Service-Attempt': '1',
  });
  expect(verifySignature(item, place.secret)).toBe(true);

  // Read without a cursor, it begins with the first that is not acknowledged.
  expect(idsIn(await place.read())).toEqual(ids);
  const second = await place.read({ cursor: first.cursor });
  expect(idsIn(second)).toEqual([ids[1]]);
  expect(await place.statusOf(ids[0] ?? '')).toBe('succeeded');
  expect(await place.statusOf(ids[1] ?? '')).toBe('pending');
  const last = await place.read({ cursor: second.cursor });
  expect(last.items).toEqual([]);
  expect(await place.read({ cursor: last.cursor })).toMatchObject({ items: [] });
  // An old cursor acknowledges nothing else.
  const third = await anEventFor(database, place);
  expect(idsIn(await place.read({ cursor: first.cursor }))).toEqual([third.id]);
  expect(await place.statusOf(ids[1] ?? '')).toBe('succeeded');
});

test('what is committed later than what was read is never acknowledged with it, though it began earlier', async () => {
  const place = await aPullEndpoint(api);
  const { endpointId, tenantId } = place;
  const known = await anEventFor(database, place);
  await place.read({ cursor: (await place.read()).cursor });
  const slow = new Client({ connectionString: api.databaseUrl });
  await slow.connect();
  await slow.query('BEGIN');
  const { rows } = await slow.query<{ id: string }>(
    `INSERT INTO webhook_delivery (id, tenant_id, event_id, endpoint_id, event_type, status, resend_number)
     VALUES (uuid_v7(), $1, $2, $3, 'nps.submitted', 'pending', 1) RETURNING id`,
    [tenantId, known.eventId, endpointId],
  );
  const late = rows[0]?.id ?? '';
  const quick = await anEventFor(database, place);
  expect(late < quick.id).toBe(true);
  const page = await place.read();
  expect(idsIn(page)).toEqual([quick.id]);
  await slow.query('COMMIT');
  await slow.end();
  await place.read({ cursor: page.cursor });
  expect([await place.statusOf(quick.id), await place.statusOf(late)]).toEqual(['succeeded', 'pending']);
});

test('a waiting reader gets an event within a second, and an empty page when its time is up', async () => {
  const place = await aPullEndpoint(api);
  expect((await place.read({ waitSeconds: 1 })).items).toEqual([]);
  const waiting = place.read({ waitSeconds: 25 });
  const { id } = await anEventFor(database, place);
  expect(idsIn(await waiting)).toEqual([id]);
});

test('a clinic’s many waiting readers do not keep its other lists waiting', async () => {
  const place = await aPullEndpoint(api);
  const waiting = Array.from({ length: 20 }, () => place.read({ waitSeconds: 25 }));
  expect((await place.client.get('/v1/webhook-deliveries')).status).toBe(200);
  const { id } = await anEventFor(database, place);
  for (const page of await Promise.all(waiting)) expect(idsIn(page)).toEqual([id]);
});

const WRONG: [string, Record<string, unknown>, string][] = [
  ['a URL', { url: 'https://pms.example/hook' }, 'body.url'],
  ['headers', { headers: { 'X-Key': 'x' } }, 'body.headers'],
];

test.each(WRONG)('a pull endpoint is not created or changed with %s', async (_what, fields, path) => {
  const { client, endpointId } = await aPullEndpoint(api);
  for (const refused of [
    await client.post('/v1/webhook-endpoints', { delivery: 'pull', ...fields }),
    await client.patch(`/v1/webhook-endpoints/${endpointId}`, fields),
  ])
    expect([refused.status, wrongPathsIn(refused)]).toEqual([422, [path]]);
});

test('an endpoint keeps its kind, and one with a URL has no queue', async () => {
  const { client, endpointId } = await aPullEndpoint(api);
  const pushed = await client.post('/v1/webhook-endpoints', { url: 'https://pms.example/hook' });
  expect(pushed.body['delivery']).toBe('push');
  const pushId = String(pushed.body['id']);
  for (const id of [endpointId, pushId]) {
    const refused = await client.patch(`/v1/webhook-endpoints/${id}`, { delivery: 'push' });
    expect([refused.status, wrongPathsIn(refused)]).toEqual([422, ['body.delivery']]);
  }
  expect((await client.get(`/v1/webhook-endpoints/${pushId}/queue`)).status).toBe(404);
  const missing = await client.post('/v1/webhook-endpoints', {});
  expect([missing.status, wrongPathsIn(missing)]).toEqual([422, ['body.url']]);
});

test('several pull endpoints may have the same events, each with a queue and cursors of its own', async () => {
  const one = await aPullEndpoint(api);
  const other = await aPullEndpoint(api, { tenantId: one.tenantId });
  await anEventFor(database, one);
  const page = await one.read();
  expect(page.items).toHaveLength(1);
  const query = `cursor=${page.cursor}`;
  const refused = await other.client.get(`/v1/webhook-endpoints/${other.endpointId}/queue?${query}`);
  expect([refused.status, wrongPathsIn(refused)]).toEqual([422, ['query.cursor']]);
  expect((await other.read()).items).toHaveLength(1);
});

test.each([
  ['an unreadable cursor', 'cursor=x'],
  ['a cursor of too many', `cursor=${'A'.repeat(3000)}`],
  ['a page of none', 'limit=0'],
  ['a page of 101', 'limit=101'],
  ['a wait of 26 seconds', 'waitSeconds=26'],
])('a read with %s is refused', async (_what, query) => {
  const { client, endpointId } = await aPullEndpoint(api);
  const refused = await client.get(`/v1/webhook-endpoints/${endpointId}/queue?${query}`);
  expect([refused.status, wrongPathsIn(refused)]).toEqual([422, [`query.${query.split('=')[0]}`]]);
});

test('reading needs webhooks:write and the scopes of all events that the endpoint subscribes to', async () => {
  const { tenantId, endpointId } = await aPullEndpoint(api, { events: ['call.*', 'tenant.*'] });
  const path = `/v1/webhook-endpoints/${endpointId}/queue`;
  const statusFor = async (
    ...scopes: ('webhooks:read' | 'webhooks:write' | 'calls:read' | 'tenant:read')[]
  ) => (await createApiClient(api.url, await api.keyOf({ tenantId, scopes })).get(path)).status;
  expect(await statusFor('webhooks:read', 'calls:read', 'tenant:read')).toBe(403);
  expect(await statusFor('webhooks:write', 'calls:read')).toBe(403);
  expect(await statusFor('webhooks:write', 'calls:read', 'tenant:read')).toBe(200);
  const stranger = createApiClient(
    api.url,
    await api.keyOf({ tenantId: (await aClinic(database)).tenantId }),
  );
  expect((await stranger.get(path)).status).toBe(404);
});

test('nothing is retried or paused, and test events, resends and replays come into the queue', async () => {
  const place = await aPullEndpoint(api);
  const { client, endpointId } = place;
  const path = `/v1/webhook-endpoints/${endpointId}`;
  const { id } = await anEventFor(database, place);
  expect(await client.post(`${path}/retry-now`, {})).toMatchObject({ status: 202, body: { deliveries: 0 } });
  const one = await client.post(`/v1/webhook-deliveries/${id}/retry-now`, {});
  expect(one).toMatchObject({ status: 202, body: { deliveries: 0 } });
  expect(await client.post(`${path}/pause`, {})).toMatchObject({ status: 422 });
  expect(await client.post(`${path}/resume`, {})).toMatchObject({ status: 200 });
  const { cursor } = await place.read();
  await place.read({ cursor });

  const tested = await client.post(`${path}/test-events`, {});
  expect(tested.status).toBe(202);
  const resent = await client.post(`/v1/webhook-deliveries/${id}/resend`, {});
  expect(resent).toMatchObject({ status: 202, body: { resendOf: id, workflowId: null, status: 'pending' } });
  expect(idsIn(await place.read())).toEqual([tested.body['deliveryId'], resent.body['id']]);
  const { rows } = await sql`SELECT FROM outbox WHERE message ->> 'endpointId' = ${endpointId}`.execute(
    database.em().getKysely(),
  );
  expect(rows).toEqual([]);
});

test('while it is off, events are skipped; what was read before counts as read', async () => {
  const place = await aPullEndpoint(api);
  const path = `/v1/webhook-endpoints/${place.endpointId}`;
  const [read, unread] = [await anEventFor(database, place), await anEventFor(database, place)];
  const page = await place.read({ limit: 1 });
  await place.client.patch(path, { enabled: false });
  const missed = await anEventFor(database, place);
  expect(missed.status).toBe('skipped');
  expect((await place.read({ cursor: page.cursor })).items).toEqual([]);
  expect([await place.statusOf(read.id), await place.statusOf(unread.id)]).toEqual(['succeeded', 'skipped']);
  await place.client.patch(path, { enabled: true });
  const preview = await place.client.get(`${path}/replay-preview?since=${new Date(0).toISOString()}`);
  expect(preview.body).toEqual({ deliveries: 2 });
});

test('a deleted endpoint has no queue, and what waited ends as skipped', async () => {
  const place = await aPullEndpoint(api);
  const { id } = await anEventFor(database, place);
  const waiting = place.client.get(`/v1/webhook-endpoints/${place.endpointId}/queue`);
  expect((await waiting).status).toBe(200);
  await place.client.delete(`/v1/webhook-endpoints/${place.endpointId}`);
  expect((await place.client.get(`/v1/webhook-endpoints/${place.endpointId}/queue`)).status).toBe(404);
  await until('the delivery to be skipped', async () => (await place.statusOf(id)) === 'skipped');
});

test('events of ignored keys do not come, and after a rotation both secrets sign', async () => {
  const { tenantId, professionalIds, serviceTypeId } = await aClinic(database);
  const clinic = { tenantId, professionalIds, serviceTypeId };
  const key = await api.keyOf({ tenantId });
  const client = createApiClient(api.url, key);
  const own = String((await client.get('/v1/api-keys/me')).body['id']);
  const place = await aPullEndpoint(api, { tenantId, events: ['appointment.*'], ignoreActors: [own] });
  const booked = (hours: number, by: ApiClient) =>
    by.post('/v1/appointments', bookingBody(clinic, inHours(hours)));
  expect((await booked(30, client)).status).toBe(201);
  expect((await place.read()).items).toEqual([]);
  expect((await booked(31, place.client)).status).toBe(201);
  const rotated = await place.client.post(`/v1/webhook-endpoints/${place.endpointId}/rotate-secret`, {});
  const [item] = (await place.read()).items;
  if (!item) throw new Error('the booking was not sent');
  expect(verifySignature(item, place.secret)).toBe(true);
  expect(verifySignature(item, String(rotated.body['secret']))).toBe(true);
});
