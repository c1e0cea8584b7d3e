import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLogger } from '../../../adapters/logs/logger.ts';
import { endpointSecret } from '../../../domain/encryption/sealed-places.ts';
import { rotateSecret } from '../../../commands/webhooks/rotate-secret.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { WebhookSecretEntity } from '../../../db/entities/webhooks/webhook-secret.entity.ts';
import { createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { startTestApi } from '../../support/servers/api-server.ts';
import { aClinic, asOperator } from '../../support/clinic.ts';
import { answerWith } from '../../support/servers/receiver.ts';
import { until } from '../../support/until.ts';
import { createWorkerSurroundings } from '../../worker/running-worker.ts';
import { anEventFor, anEventUsedUp } from '../recorded-attempts.ts';
import { dump, leaks } from '../../support/stored/stored-texts.ts';
import { forSuite } from '../../support/for-suite.ts';

const [api, surroundings] = await Promise.all([
  forSuite(startTestApi()),
  forSuite(createWorkerSurroundings()),
]);
const { client, database, clinic } = api;

test('a secret is in the answer that made it and in no other, in no log and in no dump', async () => {
  const url = 'https://pms.example/hook';
  const created = await client.post('/v1/webhook-endpoints', { url }, { 'idempotency-key': 'once' });
  const id = String(created.body['id']);
  const path = `/v1/webhook-endpoints/${id}`;
  const rotated = await client.send('POST', `${path}/rotate-secret`, {
    headers: { 'idempotency-key': 'again' },
  });
  const secrets = [created, rotated].map(({ body }) => String(body['secret']));
  const place = { tenantId: api.clinic.tenantId, endpointId: id };
  await anEventUsedUp(database, place);

  const later: ApiAnswer[] = [
    await client.get(path),
    await client.get('/v1/webhook-endpoints'),
    await client.patch(path, { description: 'changed' }),
    await client.send('POST', `${path}/enable`),
    await client.post(`${path}/test-events`, {}),
    await client.post(`${path}/replay`, { since: '2020-01-01T00:00:00Z' }),
    await client.get('/v1/webhook-deliveries'),
    await client.get('/v1/webhook-events'),
    await client.get('/v1/notifications'),
  ];
  expect(later.map(({ status }) => status)).toEqual([200, 200, 200, 200, 202, 202, 200, 200, 200]);

  const texts = {
    ...Object.fromEntries(later.map(({ text }, index) => [`answer ${index}`, text])),
    log: api.log.join('\n'),
    dump: await dump(database),
  };
  expect(leaks({ created: created.text }, secrets)).toEqual(['created']);
  expect(texts.dump).toContain(url);
  expect(leaks(texts, secrets)).toEqual([]);

  const stored = await database
    .em()
    .find(WebhookSecretEntity, { endpointId: id }, { orderBy: { id: 'asc' } });
  const cipher = await database.ciphers.of(stored[0]?.tenantId ?? '');
  const opened = stored.map(({ tenantId, ciphertext }) =>
    cipher.decrypt(ciphertext, endpointSecret(tenantId, id)),
  );
  expect(opened).toEqual(secrets);
});

test('neither secrets nor patients nor addresses reach a workflow history, and secrets no worker log', async () => {
  const { database, namespace } = surroundings;
  const lines: string[] = [];
  const logger = createLogger({ level: 'trace', process: 'worker', destination: collect(lines) });
  await surroundings.startWorker({ logger });
  const { tenantId } = await aClinic(database);
  const email = 'geral@sorriso.example';
  await database.write((em) => em.nativeUpdate(TenantEntity, { id: tenantId }, { email }));
  const receiver = await surroundings.startReceiver();
  receiver.otherwise(answerWith(500, 'no'));
  const { endpointId, secret } = await surroundings.subscribe(tenantId, receiver.url('/hook?token=hidden'));
  const place = { tenantId, endpointId };
  const input = { ...place, overlapSeconds: 60 };
  const rotated = await database.write((em) => rotateSecret(em, input, asOperator()));

  await anEventFor(database, place);
  await receiver.received(1);
  await anEventUsedUp(database, place);
  const histories = await until('the workflows of delivery and health', () =>
    historiesOf(endpointId, 'sendNotificationMails'),
  );

  const secrets = [secret, rotated.secret];
  // In a payload, so payloads were read.
  expect(histories).toContain('deactivateAt');
  expect(leaks({ histories, log: lines.join('\n'), dump: await dump(database) }, secrets)).toEqual([]);
  for (const hidden of ['token', 'hidden', '/hook', email, 'Clínica', 'score'])
    expect(histories).not.toContain(hidden);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).not.toMatch(/token|hidden|sorriso/);

  async function historiesOf(endpoint: string, awaited: string): Promise<string | null> {
    const client = await namespace.temporal.ask(async (asked) => asked);
    const texts: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `EndpointId = '${endpoint}'` }))
      texts.push(readable(await client.workflow.getHandle(workflowId).fetchHistory()));
    const text = texts.join('\n');
    return text.includes(awaited) ? text : null;
  }
});

/** Payloads are base64 in a history's JSON. */
function readable(history: object): string {
  return JSON.stringify(history, (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : value,
  );
}

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
}

test('a link to the portal is given to people who may change endpoints, and is nowhere else', async () => {
  const { status, body } = await client.send('POST', '/v1/portal-links');
  expect(status).toBe(201);
  const token = /^https:\/\/dashboard\.test\/portal\/([\w-]{43})$/.exec(String(body['url']))?.[1] ?? 'none';
  expect(Date.parse(String(body['expiresAt'])) - Date.now()).toBeLessThanOrEqual(600_000);
  expect(await dump(database)).not.toContain(token);
  expect(api.log.join('\n')).not.toContain(token);
  const reading = await api.keyOf({ scopes: ['webhooks:read'], tenantId: clinic.tenantId });
  const refused = await createApiClient(api.url, reading).send('POST', '/v1/portal-links');
  expect(refused.status).toBe(403);
});
