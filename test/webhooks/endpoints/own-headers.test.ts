import { expect, test } from '@jest/globals';
import { createSendAttempt } from '../../../sending/send-attempt.ts';
import { momentNow } from '../../../adapters/timing/moment.ts';
import { createEndpoint, updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { findDeliveryToAttempt } from '../../../db/webhooks/deliveries/delivery-to-attempt.ts';
import { createApiClient, wrongPathsIn } from '../../support/api-client.ts';
import { aClinic, asOperator } from '../../support/clinic.ts';
import { forSuite } from '../../support/for-suite.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { startTrustedReceiver } from '../../support/servers/trusted-receiver.ts';
import { dump, formsOf } from '../../support/stored/stored-texts.ts';
import { testLogger } from '../../support/test-logger.ts';
import { anEventFor } from '../recorded-attempts.ts';

const URL = 'https://pms.example/hook';
const SECRET = 'gateway-password-4711';

const api = await suiteApi();
const sending = await forSuite(startTrustedReceiver());

async function aClient() {
  const { tenantId } = await aClinic(api.database);
  return createApiClient(api.url, await api.keyOf({ tenantId }));
}

test('headers are stored encrypted, and no answer shows more than their names', async () => {
  const client = await aClient();
  const headers = { 'X-Gateway-Key': SECRET, 'X-Route': 'clinic' };
  const created = await client.post('/v1/webhook-endpoints', { url: URL, headers });
  expect(created).toMatchObject({ status: 201, body: { headerNames: ['X-Gateway-Key', 'X-Route'] } });
  const path = `/v1/webhook-endpoints/${String(created.body['id'])}`;
  const answers = [created, await client.get(path), await client.get('/v1/webhook-endpoints')];
  const replaced = await client.patch(path, { headers: { Authorization: `Bearer ${SECRET}` } });
  expect(replaced.body['headerNames']).toEqual(['Authorization']);
  for (const { body } of [...answers, replaced]) expect(JSON.stringify(body)).not.toContain(SECRET);
  const stored = await dump(api.database);
  for (const form of formsOf(SECRET)) expect(stored).not.toContain(form);
  expect(api.log.join('')).not.toContain(SECRET);
  expect((await client.patch(path, { headers: null })).body['headerNames']).toEqual([]);
});

const REFUSED: [string, Record<string, string>, string][] = [
  ...[
    'Host',
    'connection',
    'Transfer-Encoding',
    'Content-Type',
    'content-length',
    'Content-Encoding',
    'Expect',
    'Upgrade',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Proxy-Authorization',
    'User-Agent',
    'Accept',
    'Idempotency-Key',
    'X-Service-Signature',
    'x-service-event-id',
    'webhook-id',
    'Webhook-Signature',
  ].map((name): [string, Record<string, string>, string] => [name, { [name]: 'x' }, `body.headers.${name}`]),
  ['a value with CR LF', { 'X-A': 'x\r\nHost: evil' }, 'body.headers.X-A'],
  ['a value with a tab', { 'X-A': 'x\ty' }, 'body.headers.X-A'],
  ['a value with DEL', { 'X-A': 'x\u007f' }, 'body.headers.X-A'],
  ['a value beyond ASCII', { 'X-A': 'senhaç' }, 'body.headers.X-A'],
  ['a value of 1,001 characters', { 'X-A': 'x'.repeat(1001) }, 'body.headers.X-A'],
  ['a name with LF', { 'X-A\nB': 'x' }, 'body.headers'],
  ['a name with a space', { 'X A': 'x' }, 'body.headers'],
  ['an empty name', { '': 'x' }, 'body.headers'],
  ['the same name twice', { 'X-A': 'x', 'x-a': 'y' }, 'body.headers.x-a'],
  [
    'eleven headers',
    Object.fromEntries(Array.from({ length: 11 }, (_, nr) => [`X-${nr}`, 'x'])),
    'body.headers',
  ],
];

test.each(REFUSED)('%s is refused', async (_what, headers, path) => {
  const client = await aClient();
  const refused = await client.post('/v1/webhook-endpoints', { url: URL, headers });
  expect([refused.status, wrongPathsIn(refused)]).toEqual([422, [path]]);
  const created = await client.post('/v1/webhook-endpoints', { url: URL });
  const changed = await client.patch(`/v1/webhook-endpoints/${String(created.body['id'])}`, { headers });
  expect([changed.status, wrongPathsIn(changed)]).toEqual([422, [path]]);
});

test('ten headers with values of 1,000 characters are accepted', async () => {
  const client = await aClient();
  const headers = Object.fromEntries(Array.from({ length: 10 }, (_, nr) => [`X-${nr}`, 'x'.repeat(1000)]));
  expect(await client.post('/v1/webhook-endpoints', { url: URL, headers })).toMatchObject({ status: 201 });
});

test.each([
  ['another path', 'https://pms.example/other', ['X-Key']],
  ['another host', 'https://evil.example/hook', []],
  ['another port', 'https://pms.example:8443/hook', []],
])('a URL with %s keeps or removes the headers', async (_what, url, headerNames) => {
  const client = await aClient();
  const created = await client.post('/v1/webhook-endpoints', { url: URL, headers: { 'X-Key': SECRET } });
  const path = `/v1/webhook-endpoints/${String(created.body['id'])}`;
  expect((await client.patch(path, { url })).body).toMatchObject({ url, headerNames });
  const headers = { 'X-Key': SECRET };
  const again = await client.patch(path, { url: 'https://third.example/', headers });
  expect(again.body['headerNames']).toEqual(['X-Key']);
});

test('every delivery has them, and they never replace those of the service', async () => {
  const { database } = api;
  const { receiver, webhookClient } = sending;
  const send = createSendAttempt({ ciphers: database.ciphers, webhookClient, logger: testLogger() });
  const { tenantId } = await aClinic(database);
  const input = { tenantId, url: receiver.url(), events: ['*'], description: null };
  const headers = { 'X-Gateway-Key': SECRET };
  const { endpoint } = await database.write((em) => createEndpoint(em, { ...input, headers }, asOperator()));
  const place = { tenantId, endpointId: endpoint.id };
  const { id } = await anEventFor(database, place);
  const attempt = async () => {
    const delivery = await findDeliveryToAttempt(database.em(), tenantId, id);
    if (!delivery) throw new Error('no delivery');
    await send(delivery, 1, { askedAt: momentNow(), isOurs: () => true });
    return receiver.requests.at(-1)?.headers ?? {};
  };
  expect(await attempt()).toMatchObject({ 'x-gateway-key': SECRET, 'x-service-delivery-id': id });
  await database.write((em) => updateEndpoint(em, { ...place, fields: {}, headers: null }, asOperator()));
  expect(await attempt()).not.toHaveProperty('x-gateway-key');
});
