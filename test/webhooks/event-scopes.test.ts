import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PortalLinkEntity } from '../../db/entities/portal-link.entity.ts';
import { WebhookDeliveryEntity } from '../../db/entities/webhook-delivery.entity.ts';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { createApiClient, type ApiAnswer } from '../support/api-client.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { anEndpoint, book, inHours } from '../support/clinic.ts';
import { attempted } from './recorded-attempts.ts';
import { aStartedCall } from '../calls/call-builders.ts';

const URL = 'https://pms.example/hook';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await book(api.database, api.clinic);
  await aStartedCall(api.client);
  await api.client.patch('/v1/tenants/me', { config: { voice: 'sofia' } });
});
afterAll(() => api.stop());

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
  const needed = ['webhooks:write', 'appointments:read', 'calls:read', 'tenant:read'];
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
