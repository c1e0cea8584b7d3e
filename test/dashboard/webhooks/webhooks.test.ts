import { expect, test } from '@jest/globals';
import { FAILURE_WORDS } from '../../../dashboard/webhooks/failure-words.ts';
import { DETAIL_WORDS } from '../../../dashboard/webhooks/endpoints/detail-words.ts';
import { ENDPOINT_WORDS } from '../../../dashboard/webhooks/endpoints/words.ts';
import { EVENT_WORDS } from '../../../dashboard/webhooks/event-words.ts';
import { uuidv7 } from 'uuidv7';
import { createApiKey } from '../../../commands/clinic/create-api-key.ts';
import { NotificationEntity } from '../../../db/entities/webhooks/notification.entity.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { insertRequests } from '../../../db/requests/request-log.ts';
import { firstIdAt } from '../../../domain/first-id.ts';
import { aClinic, anEndpoint, asOperator } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type VisitedPage } from '../../support/pages/visitor.ts';
import { anEventFor, anEventUsedUp, attempted } from '../../webhooks/recorded-attempts.ts';

const dashboard = await suiteDashboard();
const { tenantId } = dashboard.clinic;
const owner = await dashboard.person('ana');

const SECRET = /whsec_[0-9A-Za-z+/=]+/;
const URL_OF_PMS = 'https://pms.example.com/hook?token=1';

let endpoints = 0;

/** A clinic has room for ten. */
async function removeFromClinic(id: string): Promise<void> {
  await dashboard.database.em().nativeUpdate(WebhookEndpointEntity, { id }, { deletedAt: new Date() });
}

/** At an address of its own by default. */
async function newEndpoint(fields: Record<string, string> = {}) {
  endpoints += 1;
  await owner.get('/integrations/endpoints/new');
  return owner.submit('/integrations/endpoints/new', {
    url: `${URL_OF_PMS}&endpoint=${endpoints}`,
    ...fields,
  });
}

test('without an endpoint the page says what one is for', async () => {
  expect((await owner.get('/integrations/endpoints')).text).toContain('No endpoints yet.');
});

test('a new endpoint’s secret is shown once, with code that verifies it', async () => {
  const made = await newEndpoint({ description: 'Novigest' });
  const secret = SECRET.exec(made.text)?.[0] ?? '';
  expect(secret).toHaveLength(50);
  expect(made.text).toContain('export function isGenuine(');
  expect(made.headers.get('cache-control')).toBe('no-store');
  const list = await owner.get('/integrations/endpoints');
  expect(list.text).toContain('Novigest');
  expect(list.text).toContain(EVENT_WORDS.en.all);
  expect(list.text).not.toContain('token=1');
  expect(list.text + dashboard.log.join('\n')).not.toContain(secret);
});

test.each([
  ['http://pms.example.com/', 'Enter a URL that begins with https://'],
  ['https://ana:secret@pms.example.com/', 'Remove the user name and password'],
  ['https://10.0.0.1/', 'Use a host name instead of the IP address.'],
  ['nothing', 'Enter the full URL'],
])(
  'the URL %s is refused with what to change, as soon as it is filled in and when it is sent',
  async (url, words) => {
    await owner.get('/integrations/endpoints/new');
    expect((await owner.submit('/integrations/endpoints/new', { url })).status).toBe(422);
    const page = await owner.get('/integrations/endpoints/new');
    const token = /name="form_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const checked = await owner.post('/integrations/endpoints/check', { url, form_token: token });
    expect(checked.status).toBe(200);
    expect(checked.text).toContain(words);
  },
);

test('an endpoint without events is not added, and what was filled in stays', async () => {
  await owner.get('/integrations/endpoints/new');
  const page = await owner.submit('/integrations/endpoints/new', {
    url: URL_OF_PMS,
    events: 'appointment.eaten',
    description: 'Kept',
  });
  expect(page.status).toBe(422);
  expect(page.text).toContain(ENDPOINT_WORDS.en.form.wrong.events);
  expect(page.text).toContain('value="Kept"');
});

test('a form for an endpoint that is sent twice, even at once, adds one, and only the first answer has its secret', async () => {
  const action = '/integrations/endpoints/new';
  const { text } = await owner.get(action);
  const fields = formOf(text, action, { url: URL_OF_PMS, description: 'Sent twice' });
  const pages = await Promise.all([1, 2, 3].map(() => owner.post(action, fields)));
  expect(pages.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
  expect(pages.filter((page) => SECRET.test(page.text))).toHaveLength(1);
  const of = { tenantId: dashboard.clinic.tenantId, description: 'Sent twice' };
  const { id } = await dashboard.database.em().findOneOrFail(WebhookEndpointEntity, of);
  for (const page of pages.filter(({ status }) => status === 409))
    expect(page.text).toContain(`href="/integrations/endpoints/${id}"`);
  expect(await dashboard.database.em().count(WebhookEndpointEntity, of)).toBe(1);
  await removeFromClinic(id);
});

test('every type of event is offered with a sample of its body', async () => {
  const { text } = await owner.get('/integrations/endpoints/new');
  for (const part of [
    'value="appointment.*"',
    'value="nps.submitted"',
    '&quot;type&quot;: &quot;call.completed&quot;',
  ])
    expect(text).toContain(part);
});

test('a script in an endpoint’s description is only text', async () => {
  await newEndpoint({ description: '<script>alert(1)</script>' });
  const { text } = await owner.get('/integrations/endpoints');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>alert');
});

const EVERY_FORM = ['edit', 'enable', 'disable', 'headers', 'replay', 'retry', 'test', 'rotate', 'delete'];

async function anEndpointOf(
  fields: Record<string, string>,
): Promise<{ id: string; address: string; secret: string }> {
  const made = await newEndpoint(fields);
  const { id } = await dashboard.database.em().findOneOrFail(WebhookEndpointEntity, { tenantId, ...fields });
  return { id, address: `/integrations/endpoints/${id}`, secret: SECRET.exec(made.text)?.[0] ?? '' };
}

async function statusOf(id: string): Promise<string> {
  return (await dashboard.database.em().findOneOrFail(WebhookEndpointEntity, { id })).status;
}

async function press(
  page: string,
  action: string,
  fields: Record<string, string> = {},
): Promise<VisitedPage> {
  await owner.get(page);
  return owner.submit(`${page}/${action}`, fields);
}

test('a failing endpoint says until when it stays on, what went wrong and what to do, and adds an alert', async () => {
  const { id, address } = await anEndpointOf({ description: 'Failing' });
  const place = { tenantId: dashboard.clinic.tenantId, endpointId: id };
  await anEventUsedUp(dashboard.database, place);
  const page = await owner.get(address);
  expect(page.text).toMatch(
    /Failing since (today|yesterday) at \d\d:\d\d\. The endpoint will be disabled (today|tomorrow) at \d\d:\d\d, unless a delivery succeeds/,
  );
  expect(page.text).toContain(FAILURE_WORDS.en.http_5xx.title);
  expect(page.text).toContain('Resend missed events (1)');
  const list = await owner.get('/integrations/endpoints');
  expect(list.text).toContain('1 unread');
  const { id: notice } = await dashboard.database.em().findOneOrFail(NotificationEntity, { endpointId: id });
  const read = await owner.submit(`/integrations/notices/${notice}/read`);
  expect(read.url.pathname).toBe('/integrations/endpoints');
  expect(read.text).not.toContain('unread');
  expect((await owner.get('/integrations/notices')).text).toContain('Read today at');
  expect((await owner.get('/integrations/notices')).text).toMatch(
    /The endpoint will be disabled (today|tomorrow) at/,
  );
  expect((await press(address, 'enable')).text).toContain(ENDPOINT_WORDS.en.about.active);
  const afterwards = await owner.get('/integrations/notices');
  expect(afterwards.text).toContain('The endpoint is no longer failing');
  expect(afterwards.text).not.toContain('will be disabled');
});

async function unreadAlerts(tenantId: string, count: number): Promise<string[]> {
  const endpointId = await anEndpoint(dashboard.database, tenantId);
  const rows = Array.from({ length: count }, () => ({
    id: uuidv7(),
    tenantId,
    kind: 'endpoint_failing' as const,
    endpointId,
    endpointUrl: 'https://receiver.example/',
    deactivateAt: new Date(),
    mail: 'no_address' as const,
    emailedAt: null,
    readAt: null,
    createdAt: new Date(),
  }));
  await dashboard.database.em().insertMany(NotificationEntity, rows);
  await dashboard.database
    .em()
    .nativeUpdate(WebhookEndpointEntity, { id: endpointId }, { deletedAt: new Date() });
  return rows.map(({ id }) => id);
}

test('every page counts the clinic’s unread notices for those who may see them, up to nine', async () => {
  const ids = await unreadAlerts(dashboard.clinic.tenantId, 10);
  await unreadAlerts((await aClinic(dashboard.database)).tenantId, 1);
  const counted = (page: VisitedPage) =>
    [
      ...page.text.matchAll(
        /(Menu|Alerts|Alertas)\s*<span class="badge bad"\s*>([^<]*)<span class="unseen"> ([^<]*)</g,
      ),
    ].map(([, ...parts]) => parts.join(' '));
  for (const address of ['/', '/settings', '/integrations/deliveries'])
    expect(counted(await owner.get(address))).toEqual(['Menu 9+ unread', 'Alerts 9+ unread']);
  await owner.get('/integrations/notices');
  for (const id of ids.slice(0, 7)) await owner.submit(`/integrations/notices/${id}/read`);
  expect(counted(await owner.get('/'))).toEqual(['Menu 3 unread', 'Alerts 3 unread']);
  expect(counted(await owner.get('/', { 'accept-language': 'pt' }))).toEqual([
    'Menu 3 por ler',
    'Alertas 3 por ler',
  ]);
  expect(counted(await (await dashboard.person('rita')).get('/'))).toEqual([]);
  for (const id of ids.slice(7)) {
    await owner.get('/integrations/notices');
    await owner.submit(`/integrations/notices/${id}/read`);
  }
  expect(counted(await owner.get('/'))).toEqual([]);
});

test('what an endpoint missed while it was off is sent once it is enabled', async () => {
  const { id, address } = await anEndpointOf({ description: 'Off for a while' });
  expect((await press(address, 'disable')).text).toContain('Someone at the clinic disabled this endpoint');
  const place = { tenantId: dashboard.clinic.tenantId, endpointId: id };
  await anEventFor(dashboard.database, place);
  await anEventFor(dashboard.database, place);
  expect((await owner.get(address)).text).toContain('Enable and resend missed events (2)');
  const sent = await owner.submit(`${address}/replay`);
  expect(`${sent.url.pathname}${sent.url.search}`).toBe(`/integrations/deliveries?endpointId=${id}&sent=2`);
  expect(sent.text).toContain('2 missed events will be resent');
  expect(await statusOf(id)).toBe('active');
});

test('an endpoint’s page says how the last day went, and how the last month', async () => {
  const { database, clinic } = dashboard;
  const { tenantId } = clinic;
  const { id: endpointId, address } = await anEndpointOf({ description: 'Measured' });
  const delivery = await anEventFor(database, { tenantId, endpointId });
  await attempted(database, delivery, { number: 1, status: 503, durationMs: 2500 });
  const createdAt = new Date(Date.now() - 10 * 86_400_000);
  const { eventId, url, eventType, appointmentId } = delivery;
  const earlier = { id: firstIdAt(createdAt), createdAt, resendNumber: 1, workflowId: `of ${endpointId}` };
  const due = { status: 'pending' as const, nextAttemptAt: createdAt, resendOf: null };
  const sent = { tenantId, endpointId, eventId, url, eventType, appointmentId };
  await database.em().insert(WebhookDeliveryEntity, { ...sent, ...due, ...earlier });
  await attempted(database, { ...delivery, ...earlier }, { number: 1, status: 200, durationMs: 100 });
  const { text } = await owner.get(address);
  const figures = (name: string) =>
    new RegExp(`${name}</td>\\s*<td[^>]*>([^<]*)</td>\\s*<td[^>]*>([^<]*)<`).exec(text)?.slice(1);
  expect(figures('Deliveries')).toEqual(['1', '2']);
  expect(figures('Successful attempts')).toEqual(['0%', '50%']);
  expect(figures('Median response time')).toEqual(['2.5 secs', '100 ms']);
  expect(figures('95th percentile')).toEqual(['2.5 secs', '2.5 secs']);
});

test('everything that waits is retried at once', async () => {
  const { id, address } = await anEndpointOf({ description: 'Recovered' });
  const delivery = await anEventFor(dashboard.database, {
    tenantId: dashboard.clinic.tenantId,
    endpointId: id,
  });
  await attempted(dashboard.database, delivery, { number: 1, status: 503, durationMs: 2500 });
  const page = await owner.get(address);
  expect(page.text).toContain('Retry all waiting deliveries now (1)');
  await owner.submit(`${address}/retry`);
  expect((await owner.get(address)).text).not.toContain('Retry all waiting deliveries now');
});

test('a test event leads to its delivery', async () => {
  const { address } = await anEndpointOf({ description: 'Tested' });
  const page = await press(address, 'test', { type: 'call.completed' });
  expect(page.url.pathname).toMatch(/^\/integrations\/deliveries\//);
  expect(page.text).toContain('&quot;exampleOf&quot;: &quot;call.completed&quot;');
  expect(page.text).toContain('0 of 1');
});

test('a rotated secret is shown once, with a countdown of the old one', async () => {
  const { address, secret } = await anEndpointOf({ description: 'Rotated' });
  const rotated = await press(address, 'rotate');
  expect(SECRET.exec(rotated.text)?.[0]).not.toBe(secret);
  const page = await owner.get(address);
  expect(page.text).toMatch(/An old secret expires in 2[34] hours \(tomorrow at/);
  expect(page.text).not.toContain('whsec_');
});

test('an endpoint is changed; what is wrong with the change is said', async () => {
  const { id, address } = await anEndpointOf({ description: 'To be changed' });
  await owner.get(`${address}/edit`);
  expect((await owner.submit(`${address}/edit`, { url: 'http://pms.example.com/' })).status).toBe(422);
  await owner.get(`${address}/edit`);
  const changed = await owner.submit(`${address}/edit`, { events: 'call.*', description: 'Changed' });
  expect(changed.url.pathname).toBe(address);
  expect(changed.text).toContain('Calls');
  const { events, url } = await dashboard.database.em().findOneOrFail(WebhookEndpointEntity, { id });
  expect({ events, url }).toEqual({ events: ['call.*'], url: expect.stringContaining(URL_OF_PMS) });
});

test('own headers are replaced and removed, and their values are never shown', async () => {
  const { id, address } = await anEndpointOf({ description: 'Behind a gateway' });
  const saved = await press(address, 'headers', { headers: 'X-Gateway-Key: open: sesame\r\n\r\nX-Site: 7' });
  expect(saved.text).toContain('Saving replaces X-Gateway-Key, X-Site.');
  expect(saved.text).not.toContain('sesame');
  const stored = () => dashboard.database.em().findOneOrFail(WebhookEndpointEntity, { id });
  expect(await stored()).toMatchObject({ headerNames: ['X-Gateway-Key', 'X-Site'] });
  for (const headers of ['Host: other.example', 'no colon', 'X-Site: 1\nx-site: 2', 'X-Site: olá']) {
    const refused = await press(address, 'headers', { headers });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(DETAIL_WORDS.en.ownHeaders.wrong);
    expect(refused.text).toContain(headers);
  }
  expect(await stored()).toMatchObject({ headerNames: ['X-Gateway-Key', 'X-Site'] });
  await press(address, 'headers', { headers: '' });
  expect(await stored()).toMatchObject({ headerNames: [], headersCiphertext: null });
  await removeFromClinic(id);
});

test('an endpoint without URL has a queue, with the program that reads it', async () => {
  const fields = { url: '', queue: 'yes', description: 'Behind a firewall' };
  const both = await newEndpoint({ queue: 'yes' });
  expect([both.status, both.text.includes(ENDPOINT_WORDS.en.queue.both)]).toEqual([422, true]);
  const made = await newEndpoint(fields);
  const { id, url } = await dashboard.database
    .em()
    .findOneOrFail(WebhookEndpointEntity, { tenantId, description: fields.description });
  expect(url).toBeNull();
  expect(made.text).toContain(`node listen.mjs ${id} `);
  const page = await owner.get(`/integrations/endpoints/${id}`);
  expect(page.text).toContain(`GET /v1/webhook-endpoints/${id}/queue`);
  for (const action of ['headers', 'pause']) expect(page.text).not.toContain(`${id}/${action}"`);
  const edit = await owner.get(`/integrations/endpoints/${id}/edit`);
  for (const name of ['url', 'queue']) expect(edit.text).not.toContain(`name="${name}"`);
  await removeFromClinic(id);
});

test('an endpoint is deleted only by someone who is sure', async () => {
  const { address } = await anEndpointOf({ description: 'To be deleted' });
  const unsure = await press(address, 'delete');
  expect(unsure.status).toBe(422);
  expect(unsure.text).toContain('Tick the box to confirm');
  await owner.submit(`${address}/delete`, { sure: 'yes' });
  expect((await owner.get(address)).status).toBe(404);
});

test('another clinic’s endpoints are not there, whatever is asked of them', async () => {
  const { tenantId } = await aClinic(dashboard.database);
  const id = await anEndpoint(dashboard.database, tenantId);
  const { text } = await owner.get('/integrations/endpoints/new');
  const token = /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const address = `/integrations/endpoints/${id}`;
  for (const path of [address, `${address}/edit`]) expect((await owner.get(path)).status).toBe(404);
  for (const action of EVERY_FORM)
    expect((await owner.post(`${address}/${action}`, { form_token: token, sure: 'yes' })).status).toBe(404);
});

test('requests of a key are shown with what their errors mean', async () => {
  expect((await owner.get('/integrations/requests')).text).toContain('There are no API keys yet');
  const input = {
    tenantId,
    name: 'Novigest',
    scopes: ['tenant:read' as const],
    mode: 'test' as const,
    expiresAt: null,
  };
  const { row } = await dashboard.database.write((em) => createApiKey(em, input, asOperator()));
  const asked = { tenantId, keyId: row.id, method: 'POST', route: '/v1/appointments', durationMs: 12 };
  const [refusal, wrong, done] = [uuidv7(), uuidv7(), uuidv7()];
  const sent = { fields: ['startsAt', 'patientName'], wrongFields: [] };
  await insertRequests(dashboard.database.em(), [
    { ...asked, ...sent, id: refusal, status: 409, error: 'slot_conflict' },
    { ...asked, ...sent, id: uuidv7(), status: 409, error: 'slot_conflict' },
    { ...asked, ...sent, id: wrong, status: 422, error: 'validation_failed', wrongFields: ['body.startsAt'] },
    { ...asked, ...sent, id: done, status: 201, error: null },
  ]);
  const page = await owner.get('/integrations/requests');
  expect(page.text.split('The time was already taken')).toHaveLength(2);
  for (const words of ['startsAt, patientName', 'body.startsAt']) expect(page.text).toContain(words);
  expect(page.text).toMatch(/class="badge good">201/);
  const refused = await owner.get(`/integrations/requests?keyId=${row.id}&error=slot_conflict`);
  expect(refused.text).not.toMatch(/class="badge good">201/);
  const idsAt = async (query: string) => {
    const { text } = await owner.get(`/integrations/requests?${query}`);
    return [done, wrong, refusal].filter((id) => text.includes(`<code>${id}</code>`));
  };
  expect(await idsAt('error=any')).toEqual([wrong, refusal]);
  expect(await idsAt(`q=${wrong}`)).toEqual([wrong]);
  expect(await idsAt('q=novi')).toEqual([done, wrong, refusal]);
  expect(await idsAt(`q=svc_test_${row.publicId.slice(0, 6)}`)).toEqual([done, wrong, refusal]);
  for (const query of [`q=${uuidv7()}`, 'q=nobody', `keyId=${uuidv7()}`])
    expect(await idsAt(query)).toEqual([]);
});

test('reception may not see endpoints or requests, and the pages speak Portuguese too', async () => {
  const rita = await dashboard.person('rita');
  for (const address of ['/integrations/endpoints', '/integrations/requests', '/integrations/notices'])
    expect((await rita.get(address)).status).toBe(403);
  const { text } = await owner.get('/integrations/endpoints', { 'accept-language': 'pt' });
  expect(text).toContain(ENDPOINT_WORDS.pt.newEndpoint);
});

test('the eleventh endpoint is refused in words', async () => {
  const em = dashboard.database.em();
  const open = { tenantId, deletedAt: null };
  for (let count = await em.count(WebhookEndpointEntity, open); count < 10; count += 1) await newEndpoint();
  const page = await newEndpoint({ description: 'One too many' });
  expect(page.status).toBe(409);
  expect(page.text).toContain('at most ten endpoints');
  expect(page.text).toContain('One too many');
});
