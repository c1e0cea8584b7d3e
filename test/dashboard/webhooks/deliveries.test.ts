import { expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { RESEND_WORDS } from '../../../dashboard/webhooks/deliveries/resend-words.ts';
import { FAILURE_WORDS } from '../../../dashboard/webhooks/failure-words.ts';
import { FILTER_WORDS } from '../../../dashboard/webhooks/deliveries/filter-words.ts';
import { createEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { rotateSecret } from '../../../commands/webhooks/rotate-secret.ts';
import { WebhookAttemptEntity } from '../../../db/entities/webhooks/webhook-attempt.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { findEventBody } from '../../../db/webhooks/events/find-events.ts';
import { serviceSignature } from '../../../domain/webhooks/webhook-headers.ts';
import { aClinic, anEndpoint, asOperator, book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type VisitedPage, type Visitor } from '../../support/pages/visitor.ts';
import { anEventFor, anEventUsedUp, attempted } from '../../webhooks/recorded-attempts.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const owner = await dashboard.person('ana');
const { tenantId } = dashboard.clinic;
const input = { tenantId, url: 'https://pms.example.com/hook', events: ['*'], description: 'Novigest' };
const made = await dashboard.database.write((em) => createEndpoint(em, input, asOperator()));
const secret = made.secret;
const place = { tenantId, endpointId: made.endpoint.id };
const retrying = await anEventFor(dashboard.database, place);
await attempted(dashboard.database, retrying, { number: 1, status: 503 });

const LIST = '/integrations/deliveries';

async function bodyOf({ tenantId, eventId }: WebhookDeliveryRow): Promise<string> {
  return (await findEventBody(dashboard.database.em(), tenantId, eventId)) ?? '';
}

function rowsIn({ text }: VisitedPage): string[] {
  return [...text.matchAll(/id="delivery-([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
}

test('deliveries are found by every filter, and the list that refreshes itself keeps them', async () => {
  const { id: appointmentId } = await book(dashboard.database, dashboard.clinic);
  const quiet = await anEndpoint(dashboard.database, place.tenantId, ['nps.submitted']);
  const found = async (query: Record<string, string>) =>
    rowsIn(await owner.get(`${LIST}?${new URLSearchParams(query).toString()}`));
  expect(await found({})).toHaveLength(2);
  expect(await found({ endpointId: quiet })).toEqual([]);
  expect(await found({ status: 'retrying', endpointId: place.endpointId })).toEqual([retrying.id]);
  expect(await found({ errorClass: 'http_5xx' })).toEqual([retrying.id]);
  expect(await found({ eventType: 'nps.submitted', status: '' })).toEqual([retrying.id]);
  expect(await found({ since: '2020-01-01T00:00', until: '2021-01-01T00:00' })).toEqual([]);
  expect(await found({ appointmentId })).toHaveLength(1);
  expect((await owner.get(LIST)).text).toMatch(/hx-get=""\s+hx-trigger="every 5s"/);
});

test('deliveries are found by whatever someone has at hand, and the id of one leads to its page', async () => {
  const { id: appointmentId } = await book(database, clinic, { externalId: 'PMS-77', startsAt: inHours(50) });
  const [booked] = await database.em().find(WebhookDeliveryEntity, { appointmentId });
  const found = async (q: string) =>
    rowsIn(await owner.get(`${LIST}?${new URLSearchParams({ q }).toString()}`));
  for (const q of [appointmentId, booked?.eventId.toUpperCase() ?? '', ' PMS-77 '])
    expect([q, await found(q)]).toEqual([q, [booked?.id]]);
  expect(await found('http_5xx')).toEqual([retrying.id]);
  expect(await found('nps.submitted')).toEqual([retrying.id]);
  expect(await found('PMS-78')).toEqual([]);
  expect((await owner.get(`${LIST}?q=${retrying.id}`)).url.pathname).toBe(`${LIST}/${retrying.id}`);
});

test('the list says what came back last, and narrows by a press', async () => {
  const { text } = await owner.get(`${LIST}?status=retrying&endpointId=${place.endpointId}`);
  expect(text).toContain('503 · The endpoint failed');
  expect(text).toMatch(
    /href="\/integrations\/deliveries\?endpointId=[^"]*"\s+aria-current="true"\s*>Retrying/,
  );
  expect(text).toMatch(/since=[\d-]+T00%3A00&amp;until=[\d-]+T00%3A00"\s*>Yesterday/);
});

test('every page that tells of a TLS failure says what is wrong with TLS', async () => {
  const endpointId = await anEndpoint(database, tenantId, ['appointment.created']);
  const { id: appointmentId } = await book(database, clinic, { startsAt: inHours(75) });
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { appointmentId, endpointId });
  await attempted(database, delivery, {
    number: 1,
    status: null,
    errorClass: 'tls_error',
    tlsFault: 'old_version',
  });
  const now = DateTime.fromJSDate(delivery.createdAt, { zone: 'Europe/Lisbon' }).toFormat('HH:mm d/M');
  const sofia = await dashboard.person('sofia');
  for (const [visitor, address] of [
    [owner, `${LIST}?endpointId=${endpointId}`],
    [owner, `${LIST}/${delivery.id}`],
    [owner, `/integrations/endpoints/${endpointId}`],
    [owner, `/appointments/${appointmentId}`],
    [sofia, `/support/deliveries?endpoint=${endpointId}`],
    [sofia, `/support/deliveries/${delivery.id}`],
    [sofia, `/support?q=${encodeURIComponent(now)}`],
  ] as const) {
    const { text } = await visitor.get(address);
    expect([address, /the server supports only old TLS versions/i.test(text)]).toEqual([address, true]);
  }
});

test('a filter that cannot be read says so and keeps what was written', async () => {
  const page = await owner.get(`${LIST}?appointmentId=%22%3E%3Cscript%3E&since=soon`);
  expect(page.status).toBe(422);
  expect(page.text).toContain(FILTER_WORDS.en.wrongId);
  expect(page.text).toContain(FILTER_WORDS.en.wrongTime);
  expect(page.text).not.toContain('"><script>');
});

test('a long list comes in pages, and older pages stand still', async () => {
  const endpointId = await anEndpoint(dashboard.database, place.tenantId, ['nps.submitted']);
  for (let count = 0; count < 41; count += 1)
    await anEventFor(dashboard.database, { tenantId: place.tenantId, endpointId });
  const first = await owner.get(`${LIST}?endpointId=${endpointId}`);
  const next = /rel="next" href="([^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(next).toContain(`endpointId=${endpointId}`);
  const second = await owner.get(`${LIST}${next}`);
  expect(rowsIn(first)).toHaveLength(40);
  expect(rowsIn(second)).toHaveLength(1);
  expect(second.text).not.toContain('hx-trigger');
});

test('a delivery tells what happened, what to do, what was sent and when it comes again', async () => {
  const { text } = await owner.get(`${LIST}/${retrying.id}`);
  expect(text).toContain('responded with 503');
  expect(text).toContain(FAILURE_WORDS.en.http_5xx.title);
  expect(text).toMatch(/Next attempt<\/dt>\s*<dd><time[^>]*>(in \d+ seconds|now)/);
  expect(text).toMatch(/t=\d+,v1=[0-9a-f]{64}/);
  expect(text).toContain('&quot;score&quot;: 9');
  expect(text).toContain(`curl -i &#39;https://pms.example.com/hook&#39;`);
  expect(text).not.toContain('whsec_');
});

test('each attempt names the address that it was made for, also after the endpoint has moved', async () => {
  const delivery = await anEventFor(dashboard.database, place);
  const old = 'https://old.example.com/hook?key=1';
  await attempted(dashboard.database, delivery, { number: 1, status: 503, url: old });
  await attempted(dashboard.database, delivery, { number: 2, status: 200 });
  const { text } = await owner.get(`${LIST}/${delivery.id}`);
  const urls = [...text.matchAll(/Endpoint <code>([^<]*)</g)].map(([, url]) => url);
  expect(urls).toEqual(['https://pms.example.com/hook', old]);
  const desk = await (await dashboard.person('sofia')).get(`/support/deliveries/${delivery.id}`);
  expect(desk.text).toContain('old.example.com');
  expect(desk.text).not.toContain('key=1');
});

test('a retry says which attempt it uses before it is pressed, and asks before the last', async () => {
  const sofia = await dashboard.person('sofia');
  const delivery = await anEventFor(database, place);
  const forms = async () =>
    Promise.all(
      [
        [owner, LIST],
        [sofia, '/support/deliveries'],
      ].map(async ([visitor, list]) => {
        const { text } = await (visitor as Visitor).get(`${list as string}/${delivery.id}`);
        return /<form[^>]*\/retry"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
      }),
    );
  for (const form of await forms()) expect(form).toContain('This makes attempt 1 of 6.');
  for (const number of [1, 2, 3, 4]) await attempted(database, delivery, { number, status: 503 });
  for (const form of await forms()) {
    expect(form).toContain('This makes attempt 5 of 6.');
    expect(form).not.toContain('data-confirm');
  }
  await attempted(database, delivery, { number: 5, status: 503 });
  for (const form of await forms()) {
    expect(form).toContain('This makes attempt 6 of 6.');
    expect(form).toMatch(/data-confirm="This is the last attempt\./);
  }
  const { text } = await owner.get(`/integrations/endpoints/${place.endpointId}`);
  expect(text).toMatch(/\/retry"[\s\S]*?name="sure" value="yes" required/);
});

test('an open delivery of an endpoint that was switched off says that no attempt is made, until it has ended', async () => {
  const off = { ...place, endpointId: await anEndpoint(database, place.tenantId, ['nps.submitted']) };
  const delivery = await anEventFor(database, off);
  await attempted(database, delivery, { number: 1, status: 503 });
  await database.em().nativeUpdate(WebhookEndpointEntity, { id: off.endpointId }, { status: 'disabled' });
  const { text } = await owner.get(`${LIST}/${delivery.id}`);
  expect(text).toContain('The endpoint is disabled, so we make no attempts.');
  expect(text).not.toMatch(/Next attempt<\/dt>|action="[^"]*\/retry"/);
  const desk = await (await dashboard.person('sofia')).get(`/support/deliveries/${delivery.id}`);
  expect(desk.text).toContain(
    'no attempt is made and the delivery ends as skipped: its endpoint is disabled',
  );
});

test('what a receiver answered is only text', async () => {
  const delivery = await anEventFor(dashboard.database, place);
  await attempted(dashboard.database, delivery, { number: 1, status: 400, errorClass: 'http_4xx' });
  const answer = { responseExcerpt: '<script>alert(1)</script>' };
  await dashboard.database.em().nativeUpdate(WebhookAttemptEntity, { deliveryId: delivery.id }, answer);
  const { text } = await owner.get(`${LIST}/${delivery.id}`);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>alert');
});

test('an open delivery is hurried, one that has ended is sent again as a new one', async () => {
  const delivery = await anEventFor(dashboard.database, place);
  await attempted(dashboard.database, delivery, { number: 1, status: 503 });
  const address = `${LIST}/${delivery.id}`;
  await owner.get(address);
  expect((await owner.submit(`${address}/retry`)).text).toMatch(/Next attempt<\/dt>\s*<dd><time[^>]*>now/);
  await attempted(dashboard.database, delivery, { number: 2, status: 200 });
  await owner.get(address);
  const resent = await owner.submit(`${address}/resend`);
  expect(resent.url.pathname).not.toBe(address);
  expect(resent.text).toContain(`href="${address}"`);
});

/** Sends again what is chosen, after a look at what that means. */
async function chosen(...deliveries: WebhookDeliveryRow[]): Promise<string> {
  const query = deliveries.map(({ id }) => `delivery=${id}`).join('&');
  return (await owner.get(`${LIST}/resend?${query}`)).text;
}

test('several are sent again together, once however often it is asked, and what cannot go is told beforehand', async () => {
  const { tenantId } = place;
  const off = await anEndpoint(database, tenantId, ['nps.submitted']);
  const [lost, also, resent, kept] = [
    await anEventUsedUp(database, place),
    await anEventUsedUp(database, place),
    await anEventUsedUp(database, place),
    await anEventUsedUp(database, { tenantId, endpointId: off }),
  ];
  await owner.get(`${LIST}/${resent.id}`);
  await owner.submit(`${LIST}/${resent.id}/resend`);
  await database.em().nativeUpdate(WebhookEndpointEntity, { id: off }, { status: 'disabled' });
  const list = await owner.get(`${LIST}?status=failed&chosen=all`);
  for (const { id } of [lost, also, kept]) expect(list.text).toMatch(new RegExp(`value="${id}"[^>]*checked`));

  const preview = await chosen(lost, also, resent, kept, retrying);
  expect(preview).toContain('2 deliveries will be resent');
  expect(preview).toContain('Novigest: 2');
  for (const words of [
    'One delivery has already been resent.',
    'The endpoint of one delivery is disabled',
    'One delivery is still in progress',
  ])
    expect(preview).toContain(words);
  const sent = () => database.em().count(WebhookDeliveryEntity, { resendOf: { $in: [lost.id, also.id] } });
  const form = formOf(preview, `${LIST}/resend`);
  expect((await owner.post(`${LIST}/resend`, form)).text).toContain('Resending 2 deliveries.');
  expect(await sent()).toBe(2);
  expect((await owner.post(`${LIST}/resend`, form)).text).toContain('Resending 2 deliveries.');
  expect(await sent()).toBe(2);
  expect(await chosen(lost)).toContain(RESEND_WORDS.en.none);
});

test('what holds for several attempts is explained once', async () => {
  const delivery = await anEventFor(dashboard.database, place);
  for (const number of [1, 2, 3]) await attempted(dashboard.database, delivery, { number, status: 503 });
  const { text } = await owner.get(`${LIST}/${delivery.id}`);
  for (const words of ['the server may be down', 'The signature shown uses the secrets'])
    expect(text.split(words)).toHaveLength(2);
  expect(text.split(FAILURE_WORDS.en.http_5xx.title)).toHaveLength(4);
});

async function verified(delivery: WebhookDeliveryRow, header: string, body: string): Promise<string> {
  await owner.get(`${LIST}/${delivery.id}`);
  const { text } = await owner.submit(`${LIST}/${delivery.id}/verify#verify`, { header, body });
  expect(text).not.toContain('whsec_');
  return text;
}

function signed(body: string, secrets: string[], signedAt = new Date()): string {
  return serviceSignature({ secrets, signedAt, body });
}

test('a right signature is called right, with which secret it fits', async () => {
  const body = await bodyOf(retrying);
  expect(await verified(retrying, `X-Service-Signature: ${signed(body, [secret])}`, body)).toContain(
    'it matches the current secret, created today at',
  );
  const anHourAgo = new Date(Date.now() - 3_600_000);
  expect(await verified(retrying, signed(body, [secret], anHourAgo), body)).toContain(
    'The body was signed 1 hour ago',
  );
  expect(await verified(retrying, signed('{}', [secret]), '{}')).toContain('belongs to another event');
});

test.each([
  ['whsec_pasted by mistake', (body: string) => body, 'This isn’t a signature header'],
  ['', (body: string) => `${body}\n`, 'The body has extra white space'],
  ['', (body: string) => JSON.stringify(JSON.parse(body), null, 2), 'your framework parsed the body'],
  ['', () => '{"score":1}', 'The content is different'],
])('a signature that a receiver refuses (%#) is explained', async (header, change, words) => {
  const body = await bodyOf(retrying);
  expect(await verified(retrying, header || signed(body, [secret]), change(body))).toContain(words);
});

test('a signature with another secret is none of ours, and may be of an attempt', async () => {
  const body = await bodyOf(retrying);
  const foreign = 'whsec_b3RoZXI=';
  expect(await verified(retrying, signed(body, [foreign], new Date(0)), body)).toContain(
    'We made no attempt at that time',
  );
  const attempt = await dashboard.database
    .em()
    .findOneOrFail(WebhookAttemptEntity, { deliveryId: retrying.id });
  expect(await verified(retrying, signed(body, [foreign], attempt.startedAt), body)).toContain(
    'We did make an attempt at that time',
  );
});

test('while a rotation overlaps, the old secret is named by when it ends', async () => {
  const input = { ...place, overlapSeconds: 3600 };
  await dashboard.database.write((em) => rotateSecret(em, input, asOperator()));
  const body = await bodyOf(retrying);
  expect(await verified(retrying, signed(body, [secret]), body)).toMatch(
    /an old secret, created .*, which expires in/,
  );
});

test('another clinic’s delivery is not there', async () => {
  const { tenantId } = await aClinic(dashboard.database);
  const endpointId = await anEndpoint(dashboard.database, tenantId);
  const { id } = await anEventFor(dashboard.database, { tenantId, endpointId });
  const { text } = await owner.get(LIST);
  const token = /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
  expect(text).not.toContain(id);
  expect((await owner.get(`${LIST}/${id}`)).status).toBe(404);
  for (const action of ['retry', 'resend', 'verify'])
    expect((await owner.post(`${LIST}/${id}/${action}`, { form_token: token })).status).toBe(404);
  expect(await dashboard.database.em().count(WebhookDeliveryEntity, { tenantId })).toBe(1);
});

test('reception may not see deliveries; the page is in Portuguese for people who choose it', async () => {
  const rita = await dashboard.person('rita');
  expect((await rita.get(LIST)).status).toBe(403);
  const { text } = await owner.get(`${LIST}/${retrying.id}`, { 'accept-language': 'pt' });
  for (const words of ['respondeu 503', 'O endpoint falhou', 'Verificar uma assinatura'])
    expect(text).toContain(words);
});
