import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../db/connection/open-database.ts';
import { endpointStatistics } from '../../db/webhooks/endpoints/endpoint-statistics.ts';
import { presentStatistics } from '../../api/webhook-endpoints/present.ts';
import { NotificationEntity } from '../../db/entities/webhooks/notification.entity.ts';
import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts';
import { createApiClient, type ApiAnswer } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic, anEndpoint, book, inHours } from '../support/clinic.ts';
import { anEventFor, attempted } from './recorded-attempts.ts';
import { PortalLinkEntity } from '../../db/entities/portal-link.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { aStartedCall } from '../calls/call-builders.ts';

const api = await suiteApi();
const clinic = await aClinic(api.database);
const { tenantId } = clinic;
const client = createApiClient(api.url, await api.keyOf({ tenantId }));
const place = { tenantId, endpointId: await anEndpoint(api.database, tenantId) };
await anEndpoint(api.database, tenantId, ['appointment.*']);
const appointmentId = (await book(api.database, clinic)).id;
const succeeded = await anEventFor(api.database, place);
await attempted(api.database, succeeded, { number: 1, status: 200 });
const retrying = await anEventFor(api.database, place);
await attempted(api.database, retrying, { number: 1, status: 503 });
const failed = await anEventFor(api.database, place);
await attempted(api.database, failed, { number: 6, status: 503 });

function itemsIn({ body }: ApiAnswer): Record<string, unknown>[] {
  return body['items'] as Record<string, unknown>[];
}

function aNotification(database: Database, of: { tenantId: string; endpointId: string }, createdAt: Date) {
  const kind = 'endpoint_failing' as const;
  const facts = {
    kind,
    endpointUrl: 'https://receiver.example/hook',
    deactivateAt: createdAt,
    mail: 'due' as const,
  };
  return database.em().insert(NotificationEntity, { ...of, ...facts, id: uuidv7(), createdAt });
}

async function deliveries(query: Record<string, string>): Promise<unknown[]> {
  return itemsIn(await client.get('/v1/webhook-deliveries', query)).map(({ id }) => id);
}

test('deliveries are found by endpoint, status, type, event and appointment', async () => {
  expect(await deliveries({})).toHaveLength(5);
  expect(await deliveries({ endpointId: place.endpointId })).toHaveLength(4);
  expect(await deliveries({ status: 'retrying' })).toEqual([retrying.id]);
  expect(await deliveries({ status: 'failed' })).toEqual([failed.id]);
  expect(await deliveries({ eventId: succeeded.eventId })).toEqual([succeeded.id]);
  expect(await deliveries({ eventType: 'appointment.created' })).toHaveLength(2);
  expect(await deliveries({ appointmentId })).toHaveLength(2);
  expect(await deliveries({ appointmentId, status: 'failed' })).toEqual([]);
  expect(await deliveries({ eventId: `evt_${'0'.repeat(32)}` })).toEqual([]);
});

test('a delivery and its attempts name where they were sent, wherever the endpoint is now', async () => {
  const { endpointId } = place;
  const sent = await anEventFor(api.database, place);
  const untried = await client.get(`/v1/webhook-deliveries/${sent.id}`);
  expect(untried.body).toMatchObject({ endpointId, url: 'https://receiver.example/hook', attempts: [] });
  await attempted(api.database, sent, { number: 1, status: 503 });
  await attempted(api.database, sent, { number: 2, status: 200, url: 'https://elsewhere.example/hook' });
  const { body } = await client.get(`/v1/webhook-deliveries/${sent.id}`);
  expect(body).toMatchObject({
    endpointUrl: 'https://receiver.example/hook',
    url: 'https://elsewhere.example/hook',
    attempts: [{ url: 'https://receiver.example/hook' }, { url: 'https://elsewhere.example/hook' }],
  });
});

test('an attempt that found no connection has sent no headers', async () => {
  const unreachable = await anEventFor(api.database, place);
  await attempted(api.database, unreachable, { number: 1, status: 500, errorClass: 'tls_error' });
  const { body } = await client.get(`/v1/webhook-deliveries/${unreachable.id}`);
  expect(body['attempts']).toMatchObject([{ errorClass: 'tls_error', requestHeaders: null }]);
});

test('deliveries are found by how they failed last, and stay so when they succeed in the end', async () => {
  const { tenantId } = place;
  const endpointId = await anEndpoint(api.database, tenantId, ['nps.submitted']);
  const [mended, recovered] = [
    await anEventFor(api.database, { tenantId, endpointId }),
    await anEventFor(api.database, { tenantId, endpointId }),
  ];
  for (const delivery of [mended, recovered])
    await attempted(api.database, delivery, { number: 1, status: 500, errorClass: 'tls_error' });
  await attempted(api.database, mended, { number: 2, status: 503 });
  await attempted(api.database, recovered, { number: 2, status: 200 });

  const found = (query: Record<string, string>) => deliveries({ endpointId, ...query });
  expect(await found({ errorClass: 'tls_error' })).toEqual([recovered.id]);
  expect(await found({ errorClass: 'http_5xx' })).toEqual([mended.id]);
  expect(await found({ errorClass: 'tls_error', status: 'retrying' })).toEqual([]);
  expect(await found({ errorClass: 'dns_error' })).toEqual([]);
});

test.each(['/v1/webhook-deliveries', '/v1/webhook-events', '/v1/notifications'])(
  '%s is cut to a time, from `since` on and to before `until`',
  async (path) => {
    const { tenantId } = await aClinic(api.database);
    const ofClinic = createApiClient(api.url, await api.keyOf({ tenantId }));
    const endpointId = await anEndpoint(api.database, tenantId);
    const first = Date.now() - 60_000;
    for (const at of [first, first + 1, first + 2].map((ms) => new Date(ms))) {
      await anEventFor(api.database, { tenantId, endpointId }, at);
      await aNotification(api.database, { tenantId, endpointId }, at);
    }

    const all = itemsIn(await ofClinic.get(path));
    const [newest, middle, oldest] = all.map(({ createdAt }) => String(createdAt));
    const found = async (query: Record<string, string>) =>
      itemsIn(await ofClinic.get(path, query)).map(({ createdAt }) => createdAt);
    expect(all).toHaveLength(3);
    expect(await found({ since: String(middle) })).toEqual([newest, middle]);
    expect(await found({ until: String(middle) })).toEqual([oldest]);
    expect(await found({ since: String(middle), until: String(newest) })).toEqual([middle]);
    expect(await found({ since: String(newest), until: String(oldest) })).toEqual([]);
    expect(await found({ until: '0001-01-02T00:00:00Z' })).toEqual([]);
    expect(await found({ since: '9999-12-29T00:00:00Z' })).toEqual([]);
    expect(await found({ since: '0001-01-02T00:00:00Z', until: '9999-12-29T00:00:00Z' })).toHaveLength(3);
  },
);

test('a delivery shows its attempts and the next one', async () => {
  const { body } = await client.get(`/v1/webhook-deliveries/${retrying.id}`);
  expect(body).toMatchObject({ status: 'retrying', attemptCount: 1, resendOf: null });
  const [attempt] = body['attempts'] as Record<string, unknown>[];
  expect(attempt).toMatchObject({
    number: 1,
    outcome: 'failed',
    errorClass: 'http_5xx',
    responseStatus: 503,
  });
  expect(attempt?.['requestHeaders']).toMatchObject({
    'X-Service-Delivery-Id': retrying.id,
    'X-Service-Attempt': '1',
    'Idempotency-Key': retrying.eventId,
  });
  const endedAt = Date.parse(String(attempt?.['startedAt'])) + Number(attempt?.['durationMs']);
  expect(body['nextAttemptAt']).toBe(new Date(endedAt + 30_000).toISOString());
});

test.each(['/v1/webhook-deliveries', '/v1/webhook-events'])(
  '%s comes in pages that new rows do not disturb, newest first',
  async (path) => {
    const before = itemsIn(await client.get(path)).map(({ id }) => id);
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: ApiAnswer = await client.get(path, { limit: '2', ...(cursor && { cursor }) });
      seen.push(...itemsIn(page).map(({ id }) => id));
      cursor = page.body['nextCursor'] as string | null;
      expect(page.body['hasMore']).toBe(cursor !== null);
      await anEventFor(api.database, place);
    } while (cursor);
    expect(seen).toEqual(before);
  },
);

test('the cursor of one list does not fit another', async () => {
  const page = await client.get('/v1/webhook-events', { limit: '1' });
  const answer = await client.get('/v1/webhook-deliveries', { cursor: String(page.body['nextCursor']) });
  expect(answer.status).toBe(422);
});

test('an event shows what is sent, and all its deliveries', async () => {
  const [event] = itemsIn(await client.get('/v1/webhook-events', { appointmentId }));
  expect(event).toMatchObject({ type: 'appointment.created', appointmentId });
  const { body } = await client.get(`/v1/webhook-events/${String(event?.['id'])}`);
  expect(body['data']).toMatchObject({ appointment: { id: appointmentId, patientName: 'Maria Santos' } });
  expect(body['deliveries']).toHaveLength(2);
  expect(itemsIn(await client.get('/v1/webhook-events', { type: 'call.started' }))).toEqual([]);
});

test('a resend is a delivery of its own, with all six attempts, as often as it is asked for', async () => {
  const path = `/v1/webhook-deliveries/${succeeded.id}/resend`;
  const [first, second] = [await client.send('POST', path), await client.send('POST', path)];
  expect(first.body).toMatchObject({
    eventId: succeeded.eventId,
    status: 'pending',
    attemptCount: 0,
    resendOf: succeeded.id,
    workflowId: `${succeeded.workflowId}:1`,
  });
  expect(second.body['workflowId']).toBe(`${succeeded.workflowId}:2`);
});

test('a delivery that has attempts left is not sent a second time', async () => {
  const { body } = await client.send('POST', `/v1/webhook-deliveries/${failed.id}/resend`);
  for (const open of [retrying.id, String(body['id'])]) {
    const refused = await client.send('POST', `/v1/webhook-deliveries/${open}/resend`);
    expect([refused.status, refused.body['error']]).toEqual([409, 'delivery_open']);
    expect(await deliveries({ eventId: retrying.eventId })).toEqual([retrying.id]);
  }
});

test('resends at once get numbers of their own', async () => {
  const path = `/v1/webhook-deliveries/${failed.id}/resend`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.send('POST', path)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
  expect(new Set(answers.map(({ body }) => body['workflowId'])).size).toBe(8);
});

test.each([...EVENT_TYPES])('a test event shows an example of %s', async (type) => {
  const sent = await client.post(`/v1/webhook-endpoints/${place.endpointId}/test-events`, { type });
  expect(sent.status).toBe(202);
  const { body } = await client.get(`/v1/webhook-events/${String(sent.body['eventId'])}`);
  expect(body).toMatchObject({ type: 'webhook.test', data: { exampleOf: type } });
  expect(Object.keys((body['data'] as { example: object }).example).length).toBeGreaterThan(0);
  const delivery = await client.get(`/v1/webhook-deliveries/${String(sent.body['deliveryId'])}`);
  expect(delivery.body).toMatchObject({ eventType: 'webhook.test', status: 'pending' });
});

test('the next attempt of an open delivery is brought forward; one that has ended says so', async () => {
  const open = await anEventFor(api.database, place);
  await attempted(api.database, open, { number: 1, status: 503 });
  const answer = await client.post(`/v1/webhook-deliveries/${open.id}/retry-now`, undefined);
  expect([answer.status, answer.body]).toEqual([202, { deliveries: 1 }]);
  const { body } = await client.get(`/v1/webhook-deliveries/${open.id}`);
  expect(Date.parse(String(body['nextAttemptAt']))).toBeLessThanOrEqual(Date.now());
  const ended = await client.post(`/v1/webhook-deliveries/${failed.id}/retry-now`, undefined);
  expect([ended.status, ended.body['error']]).toEqual([409, 'delivery_final']);
});

test('a preview counts what a replay would send, also while the endpoint is off', async () => {
  const { tenantId } = place;
  const endpointId = await anEndpoint(api.database, tenantId, ['nps.submitted']);
  const path = `/v1/webhook-endpoints/${endpointId}`;
  const reached = await anEventFor(api.database, { tenantId, endpointId });
  await attempted(api.database, reached, { number: 1, status: 200 });
  const missed = await anEventFor(api.database, { tenantId, endpointId });
  await attempted(api.database, missed, { number: 6, status: 503 });
  await client.patch(path, { enabled: false });
  await anEventFor(api.database, { tenantId, endpointId });

  const since = new Date(reached.createdAt).toISOString();
  const until = new Date(Date.now() + 1000).toISOString();
  const preview = async (query: Record<string, string>) =>
    (await client.get(`${path}/replay-preview`, query)).body['deliveries'];
  expect(await preview({ since })).toBe(2);
  expect(await preview({ since, include: 'skipped' })).toBe(1);
  expect(await preview({ since, include: 'all' })).toBe(3);
  expect(await preview({ since, until: since, include: 'all' })).toBe(0);
  expect(await preview({ since, until, include: 'failed' })).toBe(1);
  await client.patch(path, { enabled: true });
  expect((await client.post(`${path}/replay`, { since, until })).body).toEqual({ deliveries: 2 });
  expect((await client.get(`${path}/replay-preview`)).status).toBe(422);
  const stranger = createApiClient(api.url, await api.keyOf());
  expect((await stranger.get(`${path}/replay-preview`, { since })).status).toBe(404);
});

test('the figures of an endpoint tell how its deliveries and attempts went, test events apart', async () => {
  const { tenantId } = place;
  const endpointId = await anEndpoint(api.database, tenantId, ['nps.submitted']);
  const path = `/v1/webhook-endpoints/${endpointId}`;
  const none = await client.get(`${path}/stats`);
  expect(none.body).toMatchObject({ attempts: 0, successRate: null, durationMs: { p50: null, p95: null } });

  const deliveryOf = async (hoursAgo: number) =>
    anEventFor(api.database, { tenantId, endpointId }, new Date(Date.now() - hoursAgo * 3_600_000));
  for (const durationMs of [100, 300])
    await attempted(api.database, await deliveryOf(0), { number: 1, status: 200, durationMs });
  const retried = await deliveryOf(0);
  await attempted(api.database, retried, { number: 1, status: 503, durationMs: 200 });
  await attempted(api.database, retried, {
    number: 2,
    status: 500,
    errorClass: 'tls_error',
    durationMs: 9000,
  });
  await deliveryOf(0);
  await attempted(api.database, await deliveryOf(0), { number: 6, status: 503, durationMs: 50 });
  await client.patch(path, { enabled: false });
  await client.patch(path, { enabled: true });
  await client.post(`${path}/test-events`, {});

  const { body } = await client.get(`${path}/stats`);
  expect(body).toEqual({
    hours: 24,
    since: expect.any(String),
    isComplete: true,
    deliveries: { pending: 0, retrying: 0, succeeded: 2, failed: 1, skipped: 2 },
    attempts: 5,
    successRate: 0.4,
    durationMs: { p50: 200, p95: 9000 },
    errors: { http_5xx: 2, tls_error: 1 },
  });
  const ageMs = Date.now() - Date.parse(String(body['since']));
  expect(ageMs).toBeGreaterThanOrEqual(24 * 3_600_000);
  const stranger = createApiClient(api.url, await api.keyOf());
  expect((await stranger.get(`${path}/stats`)).status).toBe(404);
});

test('of very many deliveries the newest are counted, and the figures say since when', async () => {
  const { tenantId } = place;
  const endpointId = await anEndpoint(api.database, tenantId, ['nps.submitted']);
  const now = Date.now();
  for (const ms of [3000, 2000, 1000]) {
    const delivery = await anEventFor(api.database, { tenantId, endpointId }, new Date(now - ms));
    await attempted(api.database, delivery, { number: 1, status: 200 });
  }
  const since = new Date(now - 60_000);
  const counted = async (atMost: number) => {
    const found = await endpointStatistics(api.database.em(), { tenantId, endpointId, since }, atMost);
    return presentStatistics(found, { hours: 1, since, atMost });
  };
  expect(await counted(4)).toMatchObject({ isComplete: true, since: since.toISOString(), attempts: 3 });
  expect(await counted(2)).toMatchObject({
    isComplete: false,
    since: new Date(now - 2000).toISOString(),
    deliveries: { succeeded: 2 },
    attempts: 2,
  });
});

test('everything that waits for an endpoint is brought forward at once, and counted', async () => {
  const { tenantId } = place;
  const endpointId = await anEndpoint(api.database, tenantId, ['nps.submitted']);
  for (let i = 0; i < 3; i += 1) {
    const delivery = await anEventFor(api.database, { tenantId, endpointId });
    await attempted(api.database, delivery, { number: 1, status: 503 });
  }
  const path = `/v1/webhook-endpoints/${endpointId}/retry-now`;
  const [first, again] = [await client.post(path, undefined), await client.post(path, undefined)];
  expect([first.status, first.body]).toEqual([202, { deliveries: 3 }]);
  expect([again.status, again.body]).toEqual([202, { deliveries: 0 }]);
  const stranger = createApiClient(api.url, await api.keyOf());
  expect((await stranger.post(path, undefined)).status).toBe(404);
});

const URL = 'https://pms.example/hook';

await book(api.database, api.clinic);
await aStartedCall(api.client);
await api.client.patch('/v1/tenants/me', { config: { voice: 'sofia' } });

async function clientWith(...scopes: Scope[]) {
  return createApiClient(api.url, await api.keyOf({ scopes }));
}

async function eventOf(type: string): Promise<string> {
  const { body } = await api.client.get('/v1/webhook-events', { type });
  const [event] = body['items'] as { id: string }[];
  return event?.id ?? '';
}

function refusalIn({ status, body }: ApiAnswer) {
  return [status, body['error'], body['requiredScopes']];
}

test.each([
  ['appointment.created', 'appointments:read'],
  ['call.started', 'calls:read'],
  ['tenant.config_updated', 'tenant:read'],
] as const)('the body of %s is shown to a key with %s only', async (type, scope) => {
  const path = `/v1/webhook-events/${await eventOf(type)}`;
  const refused = await (await clientWith('webhooks:read')).get(path);
  expect(refusalIn(refused)).toEqual([403, 'insufficient_scope', ['webhooks:read', scope]]);
  expect(refused.text).not.toMatch(/Maria|\+351|sofia/);
  expect((await (await clientWith('webhooks:read', scope)).get(path)).status).toBe(200);
});

test('what a receiver answered, which may repeat the event, is shown to whom the event is shown', async () => {
  const { tenantId } = api.clinic;
  await anEndpoint(api.database, tenantId, ['appointment.*']);
  await book(api.database, api.clinic, { startsAt: inHours(48) });
  const delivery = await api.database.em().findOneOrFail(WebhookDeliveryEntity, { tenantId });
  const responseExcerpt = 'no room for Maria Santos';
  await attempted(api.database, delivery, { number: 1, status: 500, responseExcerpt });
  const shownTo = async (...scopes: Scope[]) =>
    (await (await clientWith(...scopes)).get(`/v1/webhook-deliveries/${delivery.id}`)).body['attempts'];
  expect(await shownTo('webhooks:read', 'appointments:read')).toMatchObject([{ responseExcerpt }]);
  expect(await shownTo('webhooks:read', 'calls:read')).toMatchObject([
    { responseStatus: 500, responseExcerpt: null },
  ]);
});

test('a portal link that a key makes is bound to it', async () => {
  const client = await clientWith('webhooks:write');
  expect((await client.post('/v1/portal-links', undefined)).status).toBe(201);
  const [link] = await api.database.em().find(PortalLinkEntity, { tenantId: api.clinic.tenantId });
  expect(link?.apiKeyId).toBe((await client.get('/v1/api-keys/me')).body['id']);
});

test('a test event holds nothing of the clinic’s and is shown with webhooks:read alone', async () => {
  const endpoint = await api.client.post('/v1/webhook-endpoints', { url: URL });
  const sent = await api.client.send(
    'POST',
    `/v1/webhook-endpoints/${String(endpoint.body['id'])}/test-events`,
  );
  const client = await clientWith('webhooks:read');
  expect((await client.get(`/v1/webhook-events/${String(sent.body['eventId'])}`)).status).toBe(200);
});

test('a key subscribes to what it may read and to nothing else', async () => {
  const client = await clientWith('webhooks:write', 'appointments:read');
  const everything = await client.post('/v1/webhook-endpoints', { url: URL });
  const needed = ['webhooks:write', 'appointments:read', 'calls:read', 'tenant:read', 'webhooks:read'];
  expect(refusalIn(everything)).toEqual([403, 'insufficient_scope', needed]);
  const calls = await client.post('/v1/webhook-endpoints', { url: URL, events: ['call.completed'] });
  expect(refusalIn(calls)).toEqual([403, 'insufficient_scope', ['webhooks:write', 'calls:read']]);
  const events = ['appointment.*', 'nps.submitted', 'triage.*', 'patient.recall_due'];
  const own = await client.post('/v1/webhook-endpoints', { url: URL, events });
  expect(own.status).toBe(201);
  const path = `/v1/webhook-endpoints/${String(own.body['id'])}`;
  const widened = await client.patch(path, { events: ['appointment.*', 'tenant.*'] });
  expect(widened.status).toBe(403);
  expect((await client.patch(path, { events: ['appointment.*'], url: `${URL}/2` })).status).toBe(200);
});

test('a key cannot have others’ events sent to an address of its own', async () => {
  const endpoint = await api.client.post('/v1/webhook-endpoints', { url: URL, events: ['call.*'] });
  const path = `/v1/webhook-endpoints/${String(endpoint.body['id'])}`;
  const client = await clientWith('webhooks:write');
  const moved = await client.patch(path, { url: 'https://elsewhere.example/hook' });
  expect(refusalIn(moved)).toEqual([403, 'insufficient_scope', ['webhooks:write', 'calls:read']]);
  expect((await client.patch(path, { url: URL, description: 'PMS', enabled: false })).status).toBe(200);
});
