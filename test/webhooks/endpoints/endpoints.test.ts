import { expect, test } from '@jest/globals';
import { SUBSCRIPTION_PATTERNS } from '../../../domain/webhooks/subscription.ts';
import { wrongPathsIn, type ApiAnswer, type ApiClient, createApiClient } from '../../support/api-client.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { aClinic, bookingBody, inHours } from '../../support/clinic.ts';
import { anEventFor, anEventUsedUp } from '../recorded-attempts.ts';

const URL = 'https://pms.example/hook';
const UNKNOWN = '00000000-0000-0000-0000-000000000000';

const api = await suiteApi();

/** Speaks for a clinic of the test's own. */
async function aClient(): Promise<{ client: ApiClient; tenantId: string }> {
  const { tenantId } = await aClinic(api.database);
  return { client: createApiClient(api.url, await api.keyOf({ tenantId })), tenantId };
}

async function anEndpoint(client: ApiClient, body: Record<string, unknown> = {}): Promise<string> {
  const answer = await client.post('/v1/webhook-endpoints', { url: URL, ...body });
  expect(answer.status).toBe(201);
  return idIn(answer);
}

function idIn({ body }: ApiAnswer): string {
  return String(body['id']);
}

function itemsIn({ body }: ApiAnswer): Record<string, unknown>[] {
  return body['items'] as Record<string, unknown>[];
}

test('a new endpoint gets every event by default, and its secret is shown once', async () => {
  const { client } = await aClient();
  const created = await client.post('/v1/webhook-endpoints', { url: URL });
  expect(created.body).toMatchObject({ url: URL, events: ['*'], description: null, status: 'active' });
  const secret = String(created.body['secret']);
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);

  const read = await client.get(`/v1/webhook-endpoints/${idIn(created)}`);
  const { secret: _secret, ...rest } = created.body;
  expect(read.body).toEqual(rest);
  expect(itemsIn(await client.get('/v1/webhook-endpoints'))).toEqual([rest]);
});

test('a repeated request with the same Idempotency-Key makes one endpoint and shows the same secret', async () => {
  const { client } = await aClient();
  const headers = { 'idempotency-key': 'add-endpoint' };
  const [first, second] = [
    await client.post('/v1/webhook-endpoints', { url: URL }, headers),
    await client.post('/v1/webhook-endpoints', { url: URL }, headers),
  ];
  expect(second.body).toEqual(first.body);
  expect(itemsIn(await client.get('/v1/webhook-endpoints'))).toHaveLength(1);
});

test.each([
  ['http://pms.example/hook'],
  ['https://user:pass@pms.example/hook'],
  ['https://169.254.169.254/latest'],
  ['https://127.0.0.1/hook'],
  ['not a url'],
])('the URL %s is refused when it is saved and when it is changed', async (url) => {
  const { client } = await aClient();
  const refused = await client.post('/v1/webhook-endpoints', { url });
  expect([refused.status, wrongPathsIn(refused)]).toEqual([422, ['body.url']]);
  const id = await anEndpoint(client);
  const changed = await client.patch(`/v1/webhook-endpoints/${id}`, { url });
  expect([changed.status, wrongPathsIn(changed)]).toEqual([422, ['body.url']]);
});

test('every type, group and * can be subscribed to; what is unknown is refused', async () => {
  const { client } = await aClient();
  const id = await anEndpoint(client, { events: SUBSCRIPTION_PATTERNS });
  for (const wrong of ['appointment.moved', 'appointment', 'appointment.**', 'webhook.test', '']) {
    const answer = await client.patch(`/v1/webhook-endpoints/${id}`, { events: ['call.*', wrong] });
    expect([wrong, answer.status, wrongPathsIn(answer)]).toEqual([wrong, 422, ['body.events.1']]);
  }
  const narrowed = await client.patch(`/v1/webhook-endpoints/${id}`, { events: ['call.*', 'call.*'] });
  expect(narrowed.body['events']).toEqual(['call.*']);
  expect((await client.patch(`/v1/webhook-endpoints/${id}`, { events: [] })).status).toBe(422);
});

test('an endpoint gets no events of its own keys, and the others name their actor', async () => {
  const clinic = await aClinic(api.database);
  const [pms, reception] = await Promise.all(
    Array.from({ length: 2 }, async () =>
      createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId })),
    ),
  );
  if (!pms || !reception) throw new Error('no clients');
  const own = idIn(await pms.get('/v1/api-keys/me'));
  const other = await anEndpoint(pms, { events: ['call.*'] });
  const endpointId = await anEndpoint(pms, { events: ['appointment.*'], ignoreActors: [own] });
  const told = async () => itemsIn(await pms.get('/v1/webhook-deliveries', { endpointId }));

  await pms.post('/v1/appointments', bookingBody(clinic, inHours(24)));
  expect(await told()).toEqual([]);
  const booked = await reception.post('/v1/appointments', bookingBody(clinic, inHours(25)));
  const [delivery, ...more] = await told();
  expect(more).toEqual([]);
  const event = await pms.get(`/v1/webhook-events/${String(delivery?.['eventId'])}`);
  expect(event.body['data']).toMatchObject({
    appointment: { id: booked.body['id'] },
    actor: { type: 'api_key', id: idIn(await reception.get('/v1/api-keys/me')) },
    requestId: booked.headers.get('x-request-id'),
  });

  const changed = await pms.patch(`/v1/webhook-endpoints/${endpointId}`, { ignoreActors: [] });
  expect(changed.body['ignoreActors']).toEqual([]);
  await pms.patch(`/v1/appointments/${String(booked.body['id'])}`, { patientNotes: 'Prefers mornings' });
  expect(await told()).toHaveLength(2);
  expect(itemsIn(await pms.get('/v1/webhook-deliveries', { endpointId: other }))).toEqual([]);
});

test('only keys of the clinic can be ignored, at most ten', async () => {
  const { client } = await aClient();
  const { client: stranger } = await aClient();
  const strange = idIn(await stranger.get('/v1/api-keys/me'));
  const id = await anEndpoint(client);
  const elevenTimes = Array.from({ length: 11 }, () => UNKNOWN);
  for (const [ignoreActors, path] of [
    [[strange], 'body.ignoreActors.0'],
    [[UNKNOWN], 'body.ignoreActors.0'],
    [elevenTimes, 'body.ignoreActors'],
  ] as const) {
    const created = await client.post('/v1/webhook-endpoints', { url: URL, ignoreActors });
    expect([created.status, wrongPathsIn(created)]).toEqual([422, [path]]);
    const changed = await client.patch(`/v1/webhook-endpoints/${id}`, { ignoreActors });
    expect([changed.status, wrongPathsIn(changed)]).toEqual([422, [path]]);
  }
});

test('thirty requests at once get a clinic ten endpoints and no more', async () => {
  const { client } = await aClient();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => client.post('/v1/webhook-endpoints', { url: `${URL}/${at}` })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(20);
  for (const { status, body } of refused)
    expect([status, body['error']]).toEqual([409, 'endpoint_limit_reached']);

  const [first] = itemsIn(await client.get('/v1/webhook-endpoints'));
  expect((await client.delete(`/v1/webhook-endpoints/${String(first?.['id'])}`)).status).toBe(204);
  await anEndpoint(client);
});

test('an endpoint that would get everything twice is refused, in every way', async () => {
  const { client } = await aClient();
  const twins = { url: URL, events: ['call.*', 'appointment.*'] };
  const answers = await Promise.all([twins, twins].map((body) => client.post('/v1/webhook-endpoints', body)));
  const [refused] = answers.filter(({ status }) => status === 409);
  const id = String(answers.find(({ status }) => status === 201)?.body['id']);
  expect(refused?.body).toMatchObject({ error: 'endpoint_exists', endpointId: id });

  const other = await anEndpoint(client, { url: URL, events: ['call.*'] });
  const turned = await client.patch(`/v1/webhook-endpoints/${other}`, {
    events: ['appointment.*', 'call.*'],
  });
  expect([turned.status, turned.body['endpointId']]).toEqual([409, id]);

  await client.delete(`/v1/webhook-endpoints/${id}`);
  await anEndpoint(client, twins);
});

test('a change of nothing changes nothing', async () => {
  const { client } = await aClient();
  const id = await anEndpoint(client, { description: 'PMS' });
  const before = await client.get(`/v1/webhook-endpoints/${id}`);
  for (const body of [{}, { url: URL, events: ['*'], description: 'PMS', enabled: true }])
    expect((await client.patch(`/v1/webhook-endpoints/${id}`, body)).body).toEqual(before.body);
});

test('a disabled endpoint keeps its events as skipped until it is enabled', async () => {
  const { client, tenantId } = await aClient();
  const id = await anEndpoint(client);
  const place = { tenantId, endpointId: id };
  const open = await anEventFor(api.database, place);
  expect((await client.patch(`/v1/webhook-endpoints/${id}`, { enabled: false })).body['status']).toBe(
    'disabled',
  );
  expect((await client.get(`/v1/webhook-deliveries/${open.id}`)).body['status']).toBe('skipped');
  expect(await anEventFor(api.database, place)).toMatchObject({ status: 'skipped' });

  for (const [path, body] of [
    ['replay', { since: '2020-01-01T00:00:00Z' }],
    ['test-events', {}],
  ] as const) {
    const answer = await client.post(`/v1/webhook-endpoints/${id}/${path}`, body);
    expect([answer.status, answer.body['error']]).toEqual([409, 'endpoint_deactivated']);
  }
  const resend = await client.send('POST', `/v1/webhook-deliveries/${open.id}/resend`);
  expect([resend.status, resend.body['error']]).toEqual([409, 'endpoint_deactivated']);

  expect((await client.send('POST', `/v1/webhook-endpoints/${id}/enable`)).body['status']).toBe('active');
  expect(await anEventFor(api.database, place)).toMatchObject({ status: 'pending' });
  const replay = await client.post(`/v1/webhook-endpoints/${id}/replay`, { since: '2020-01-01T00:00:00Z' });
  expect([replay.status, replay.body]).toEqual([202, { deliveries: 2 }]);
});

test('a deleted endpoint is gone, its history is not, and its secrets are erased', async () => {
  const { client, tenantId } = await aClient();
  const id = await anEndpoint(client);
  const delivery = await anEventFor(api.database, { tenantId, endpointId: id });
  expect((await client.delete(`/v1/webhook-endpoints/${id}`)).status).toBe(204);
  expect((await client.get(`/v1/webhook-endpoints/${id}`)).status).toBe(404);
  expect((await client.delete(`/v1/webhook-endpoints/${id}`)).status).toBe(404);
  expect(itemsIn(await client.get('/v1/webhook-endpoints'))).toEqual([]);
  const log = itemsIn(await client.get('/v1/webhook-deliveries', { endpointId: id }));
  expect(log).toMatchObject([{ id: delivery.id, status: 'skipped' }]);
  const secrets = await api.database.em().execute('SELECT FROM webhook_secret WHERE endpoint_id = ?', [id]);
  expect(secrets).toHaveLength(0);
});

test('a failing endpoint says since when and until when, and is in the notifications', async () => {
  const { client, tenantId } = await aClient();
  const id = await anEndpoint(client);
  const at = new Date();
  await anEventUsedUp(api.database, { tenantId, endpointId: id }, at);
  const { body } = await client.get(`/v1/webhook-endpoints/${id}`);
  const since = at.getTime() + 20;
  expect(body).toMatchObject({
    status: 'failing',
    failingSince: new Date(since).toISOString(),
    deactivateAt: new Date(since + 86_400_000).toISOString(),
  });
  const notifications = itemsIn(await client.get('/v1/notifications'));
  expect(notifications).toMatchObject([{ kind: 'endpoint_failing', endpointId: id, emailedAt: null }]);
  expect((await client.send('POST', `/v1/webhook-endpoints/${id}/enable`)).body).toMatchObject({
    status: 'active',
    failingSince: null,
    deactivateAt: null,
  });
});

test('a notification is marked as read once, for the whole clinic', async () => {
  const { client, tenantId } = await aClient();
  await anEventUsedUp(api.database, { tenantId, endpointId: await anEndpoint(client) });
  const [notice] = itemsIn(await client.get('/v1/notifications'));
  expect(notice).toMatchObject({ readAt: null });
  const path = `/v1/notifications/${String(notice?.['id'])}/read`;
  const [first, again] = [await client.send('POST', path), await client.send('POST', path)];
  expect(first.body).toEqual({ ...notice, readAt: expect.any(String) });
  expect(again.body).toEqual(first.body);
  expect(itemsIn(await client.get('/v1/notifications'))).toEqual([first.body]);
  const stranger = (await aClient()).client;
  expect((await stranger.send('POST', path)).status).toBe(404);
});

test('rotating needs no body, and refuses an overlap of more than a day', async () => {
  const { client } = await aClient();
  const id = await anEndpoint(client);
  const rotated = await client.send('POST', `/v1/webhook-endpoints/${id}/rotate-secret`);
  expect([rotated.status, String(rotated.body['secret']).slice(0, 6)]).toEqual([200, 'whsec_']);
  for (const overlapSeconds of [-1, 86_401, 1.5, '60']) {
    const answer = await client.post(`/v1/webhook-endpoints/${id}/rotate-secret`, { overlapSeconds });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body.overlapSeconds']]);
  }
});

test("another clinic's endpoints, events, deliveries and notifications do not exist", async () => {
  const [mine, other] = [await aClient(), await aClient()];
  const id = await anEndpoint(other.client);
  const delivery = await anEventUsedUp(api.database, { tenantId: other.tenantId, endpointId: id });
  const requests: [string, string, unknown?][] = [
    ['GET', `/v1/webhook-endpoints/${id}`],
    ['PATCH', `/v1/webhook-endpoints/${id}`, { description: 'mine' }],
    ['DELETE', `/v1/webhook-endpoints/${id}`],
    ['POST', `/v1/webhook-endpoints/${id}/enable`],
    ['POST', `/v1/webhook-endpoints/${id}/rotate-secret`, {}],
    ['POST', `/v1/webhook-endpoints/${id}/test-events`, {}],
    ['POST', `/v1/webhook-endpoints/${id}/replay`, { since: '2020-01-01T00:00:00Z' }],
    ['GET', `/v1/webhook-deliveries/${delivery.id}`],
    ['POST', `/v1/webhook-deliveries/${delivery.id}/resend`],
    ['GET', `/v1/webhook-events/${delivery.eventId}`],
    ['POST', `/v1/webhook-endpoints/${UNKNOWN}/enable`],
  ];
  for (const [method, path, body] of requests) {
    const answer = await mine.client.send(method, path, body === undefined ? {} : { body });
    expect([method, path, answer.status]).toEqual([method, path, 404]);
  }
  for (const list of ['webhook-endpoints', 'webhook-deliveries', 'webhook-events', 'notifications'])
    expect(itemsIn(await mine.client.get(`/v1/${list}`))).toEqual([]);
  expect(itemsIn(await mine.client.get('/v1/webhook-deliveries', { endpointId: id }))).toEqual([]);
});

test('a key that may only read changes nothing', async () => {
  const { client, tenantId } = await aClient();
  const id = await anEndpoint(client);
  const key = await api.keyOf({ tenantId, scopes: ['webhooks:read'] });
  const reader = createApiClient(api.url, key);
  expect((await reader.get(`/v1/webhook-endpoints/${id}`)).status).toBe(200);
  const refused = await reader.send('POST', `/v1/webhook-endpoints/${id}/rotate-secret`);
  expect([refused.status, refused.body['requiredScopes']]).toEqual([403, ['webhooks:write']]);
});
