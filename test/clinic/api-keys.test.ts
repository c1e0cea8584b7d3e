import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { newApiKey, parseApiKey } from '../../domain/clinic/api-key.ts';
import { isSameSecret } from '../../domain/encryption/proofs.ts';
import { SCOPES, SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import { createApiClient, wrongPathsIn, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic } from '../support/clinic.ts';

const PATH = '/v1/api-keys';
const DAY_MS = 86_400_000;

let now = new Date();

const api = await suiteApi({ now: () => now });

interface Clinic {
  tenantId: string;
  /** Has every scope. */
  client: ApiClient;
}

async function aClinicWithKey(): Promise<Clinic> {
  const { tenantId } = await aClinic(api.database);
  return { tenantId, client: createApiClient(api.url, await api.keyOf({ tenantId })) };
}

async function aKey({ client }: Clinic, body: Record<string, unknown>): Promise<{ id: string; key: string }> {
  const answer = await client.post(PATH, { name: 'Reception', ...body });
  expect(answer.status).toBe(201);
  return { id: String(answer.body['id']), key: String(answer.body['key']) };
}

/** What a key is told when it asks who it is. */
function me(key: string): Promise<ApiAnswer> {
  return createApiClient(api.url, key).get(`${PATH}/me`);
}

async function errorFor(key: string): Promise<unknown> {
  return (await me(key)).body['error'];
}

function keysIn({ body }: ApiAnswer): Record<string, unknown>[] {
  return body['items'] as Record<string, unknown>[];
}

test('a key says its mode and public id, and only its hash is needed to know it again', () => {
  const { key, publicId, secretHash } = newApiKey('test');
  expect(key).toMatch(/^svc_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
  expect(key.split('_')[2]).toBe(publicId);
  expect(parseApiKey(key)).toEqual({ mode: 'test', publicId, secretHash });
  expect(secretHash).toHaveLength(32);
  expect(isSameSecret(secretHash, newApiKey('test').secretHash)).toBe(false);
});

test('a mistyped character anywhere is noticed', () => {
  const { key } = newApiKey('live');
  for (let place = 0; place < key.length; place++) {
    const other = key[place] === 'q' ? 'z' : 'q';
    expect(parseApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBeNull();
  }
});

test('a key is told its clinic, mode, scopes and end, whatever it may do', async () => {
  const { tenantId } = await aClinic(api.database);
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const { status, body } = await me(await api.keyOf({ tenantId, scopes: [], expiresAt }));
  expect([status, body]).toMatchObject([
    200,
    { tenantId, mode: 'test', scopes: [], expiresAt: expiresAt.toISOString(), revokedAt: null },
  ]);
});

test('a key that a clinic makes is shown once, and may do what was asked for', async () => {
  const clinic = await aClinicWithKey();
  const made = await aKey(clinic, { scopes: ['services:read', 'tenant:read'], expiresInDays: 30 });
  const expiresAt = new Date(now.getTime() + 30 * DAY_MS).toISOString();
  const scopes = ['tenant:read', 'services:read'];
  expect((await me(made.key)).body).toMatchObject({ id: made.id, name: 'Reception', scopes, expiresAt });
  const listed = await clinic.client.get(PATH);
  expect(keysIn(listed)[0]).toMatchObject({ id: made.id, scopes, expiresAt, revokedAt: null });
  expect(listed.text).not.toContain(made.key);
  expect(api.log.join('\n')).not.toContain(made.key);
});

test.each(['pms', 'reporting', 'everything'] as const)(
  'the preset %s stands for its scopes',
  async (preset) => {
    const { key } = await aKey(await aClinicWithKey(), { preset });
    const { body } = await me(key);
    expect(new Set(body['scopes'] as string[])).toEqual(new Set(SCOPE_PRESETS[preset]));
    expect((body['scopes'] as string[]).includes('keys:write')).toBe(preset === 'everything');
  },
);

test('a key made for a PMS keeps professionals, services, webhooks and who booked, but neither settings nor keys', async () => {
  const { key } = await aKey(await aClinicWithKey(), { preset: 'pms' });
  const { body } = await me(key);
  const writes = (body['scopes'] as string[]).filter((scope) => !scope.endsWith(':read'));
  expect(writes).toEqual([
    'appointments:write',
    'appointments:source',
    'professionals:write',
    'services:write',
    'webhooks:write',
  ]);
});

test.each([
  [{}, ['body.scopes']],
  [{ scopes: ['tenant:read'], preset: 'pms' }, ['body.scopes']],
  [{ scopes: [] }, ['body.scopes']],
  [{ preset: 'pms', expiresInDays: 0 }, ['body.expiresInDays']],
])('it is refused with %j', async (body, paths) => {
  const answer = await api.client.post(PATH, { name: 'Reception', ...body });
  expect([answer.status, wrongPathsIn(answer)]).toEqual([422, paths]);
});

test('no key gives another one what it may not do itself, by making, rolling or repeating', async () => {
  const { tenantId, client } = await aClinicWithKey();
  const body = { name: 'Practice management', preset: 'pms' };
  const broad = await client.post(PATH, body, { 'idempotency-key': 'make' });
  const narrow = createApiClient(
    api.url,
    await api.keyOf({ tenantId, scopes: ['keys:write', 'calls:read'] }),
  );

  const refused = await narrow.post(PATH, {
    name: 'x',
    scopes: ['calls:read', 'calls:write', 'tenant:read'],
  });
  expect([refused.status, refused.body]).toMatchObject([
    403,
    {
      error: 'insufficient_scope',
      message: expect.stringContaining('calls:write, tenant:read'),
      requiredScopes: ['keys:write', 'calls:read', 'calls:write', 'tenant:read'],
    },
  ]);
  expect((await narrow.post(`${PATH}/${String(broad.body['id'])}/roll`, {})).status).toBe(403);
  const repeated = await narrow.post(PATH, body, { 'idempotency-key': 'make' });
  expect([repeated.status, repeated.body['error']]).toEqual([422, 'idempotency_key_reused']);
  expect((await narrow.post(PATH, { name: 'x', scopes: ['calls:read', 'keys:write'] })).status).toBe(201);
});

test('a repeated request gets the same key again, of which nothing is stored in clear', async () => {
  const { tenantId, client } = await aClinicWithKey();
  const make = () => client.post(PATH, { name: 'x', preset: 'reporting' }, { 'idempotency-key': 'once' });
  const [first, again] = [await make(), await make()];
  expect(again.text).toBe(first.text);
  expect(keysIn(await client.get(PATH))).toHaveLength(2);
  const { rows } = await sql<{ content: string }>`
    SELECT concat(
      (SELECT json_agg(api_key) FROM api_key), (SELECT json_agg(audit_event) FROM audit_event),
      (SELECT string_agg(sealed, ' ') FROM idempotency_record WHERE tenant_id = ${tenantId})
    ) AS content
  `.execute(api.database.em().getKysely());
  const [, secret = ''] = /_(\w{38})$/.exec(String(first.body['key'])) ?? [];
  expect(secret).toHaveLength(38);
  expect(rows[0]?.content).not.toContain(secret);
});

test('a revoked key opens nothing from then on; one may revoke itself', async () => {
  const clinic = await aClinicWithKey();
  const made = await aKey(clinic, { preset: 'everything' });
  const itself = createApiClient(api.url, made.key);
  const revoked = await itself.send('POST', `${PATH}/${made.id}/revoke`);
  expect([revoked.status, revoked.body['revokedAt']]).toEqual([200, now.toISOString()]);
  expect(await errorFor(made.key)).toBe('api_key_revoked');
  now = new Date(now.getTime() + 1000);
  const again = await clinic.client.send('POST', `${PATH}/${made.id}/revoke`);
  expect(again.body['revokedAt']).toBe(revoked.body['revokedAt']);
});

test('a rolled key goes on until the overlap ends, and the new one lasts as long as it was made for', async () => {
  const clinic = await aClinicWithKey();
  const old = await aKey(clinic, { scopes: ['tenant:read'], expiresInDays: 90 });
  now = new Date(now.getTime() + 80 * DAY_MS);
  const rolled = await clinic.client.post(`${PATH}/${old.id}/roll`, { overlapSeconds: 3600 });
  const end = new Date(now.getTime() + 3_600_000);
  expect([rolled.status, rolled.body]).toMatchObject([
    201,
    {
      name: 'Reception',
      scopes: ['tenant:read'],
      expiresAt: new Date(now.getTime() + 90 * DAY_MS).toISOString(),
      replaced: { id: old.id, expiresAt: end.toISOString() },
    },
  ]);
  const key = String(rolled.body['key']);
  expect([(await me(old.key)).status, (await me(key)).status]).toEqual([200, 200]);
  now = end;
  expect([await errorFor(old.key), (await me(key)).status]).toEqual(['api_key_expired', 200]);
});

test('rolling never lets an old key live longer', async () => {
  const clinic = await aClinicWithKey();
  const path = (id: string) => `${PATH}/${id}/roll`;
  const old = await aKey(clinic, { preset: 'pms' });
  const atOnce = await clinic.client.post(path(old.id), { overlapSeconds: 0 });
  expect(await errorFor(old.key)).toBe('api_key_expired');
  const again = await clinic.client.post(path(old.id), undefined);
  expect(again.body['replaced']).toEqual(atOnce.body['replaced']);
  expect(again.body['expiresAt']).toBeNull();
});

test('a key that a key makes ends no later than that one, whatever is asked for', async () => {
  const clinic = await aClinicWithKey();
  const maker = await aKey(clinic, { preset: 'everything', expiresInDays: 1 });
  const { expiresAt } = (await me(maker.key)).body;
  const withMaker: Clinic = { ...clinic, client: createApiClient(api.url, maker.key) };
  const [endless, year] = [
    await aKey(withMaker, { preset: 'pms' }),
    await aKey(withMaker, { preset: 'pms', expiresInDays: 365 }),
  ];
  for (const { key } of [endless, year]) {
    expect((await me(key)).body).toMatchObject({ expiresAt, parentKeyId: maker.id });
  }
  const rolled = await withMaker.client.post(`${PATH}/${maker.id}/roll`, { overlapSeconds: 0 });
  expect(rolled.body['expiresAt']).toBe(expiresAt);
});

test('when a key is revoked, all that were made with it end, and those that were made with these', async () => {
  const clinic = await aClinicWithKey();
  const parent = await aKey(clinic, { preset: 'everything' });
  const child = await aKey(
    { ...clinic, client: createApiClient(api.url, parent.key) },
    { preset: 'everything' },
  );
  const grandchild = await aKey(
    { ...clinic, client: createApiClient(api.url, child.key) },
    { preset: 'pms' },
  );
  const beside = await aKey(clinic, { preset: 'pms' });
  await clinic.client.send('POST', `${PATH}/${parent.id}/revoke`);
  const errors = await Promise.all([parent, child, grandchild, beside].map(({ key }) => errorFor(key)));
  expect(errors).toEqual(['api_key_revoked', 'api_key_revoked', 'api_key_revoked', undefined]);
  const [row] = await api.database
    .em()
    .find(AuditEventEntity, { action: 'api_key.revoked', subjectId: parent.id });
  expect(row?.details).toEqual({ alsoEnded: [child.id, grandchild.id].sort() });
});

test('when a key is rolled, what was made with it ends with the old one; one that rolls itself stays in its place', async () => {
  const clinic = await aClinicWithKey();
  const parent = await aKey(clinic, { preset: 'everything' });
  const withParent = createApiClient(api.url, parent.key);
  const child = await aKey({ ...clinic, client: withParent }, { preset: 'everything' });
  const itself = createApiClient(api.url, child.key);
  const inItsPlace = await itself.post(`${PATH}/${child.id}/roll`, { overlapSeconds: 0 });
  expect(inItsPlace.body['parentKeyId']).toBe(parent.id);
  const other = createApiClient(api.url, String(inItsPlace.body['key']));
  const ofParent = await other.post(`${PATH}/${parent.id}/roll`, {});
  expect([ofParent.status, wrongPathsIn(ofParent)]).toEqual([422, ['path.id']]);
  await clinic.client.post(`${PATH}/${parent.id}/roll`, { overlapSeconds: 60 });
  const key = String(inItsPlace.body['key']);
  expect((await me(key)).body['expiresAt']).toBe(new Date(now.getTime() + 60_000).toISOString());
  now = new Date(now.getTime() + 60_000);
  expect([await errorFor(key), await errorFor(parent.key)]).toEqual(['api_key_expired', 'api_key_expired']);
});

test('a key that rolls itself without an overlap by several requests at once makes one that works, and none that does not', async () => {
  const clinic = await aClinicWithKey();
  const old = await aKey(clinic, { scopes: ['keys:write'] });
  const itself = createApiClient(api.url, old.key);
  const rolls = Array.from({ length: 6 }, () => itself.post(`${PATH}/${old.id}/roll`, { overlapSeconds: 0 }));
  const made = (await Promise.all(rolls)).filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  expect((await me(String(made[0]?.body['key']))).status).toBe(200);
});

test('a revoked key cannot be rolled into one that works', async () => {
  const clinic = await aClinicWithKey();
  const { id } = await aKey(clinic, { preset: 'pms' });
  await clinic.client.send('POST', `${PATH}/${id}/revoke`);
  const refused = await clinic.client.post(`${PATH}/${id}/roll`, {});
  expect([refused.status, wrongPathsIn(refused)]).toEqual([422, ['path.id']]);
  expect(keysIn(await clinic.client.get(PATH))).toHaveLength(2);
});

test('no one ends a key that may do more than his own', async () => {
  const { tenantId, client } = await aClinicWithKey();
  const strong = await aKey({ tenantId, client }, { scopes: ['calls:read', 'calls:write'] });
  const weak = createApiClient(api.url, await api.keyOf({ tenantId, scopes: ['keys:write', 'calls:read'] }));
  const refused = await weak.send('POST', `${PATH}/${strong.id}/revoke`);
  expect([refused.status, refused.body['requiredScopes']]).toEqual([
    403,
    ['keys:write', 'calls:read', 'calls:write'],
  ]);
  expect(await errorFor(strong.key)).toBeUndefined();
});

test('a clinic has at most 200 keys that open something; rolling without an overlap and one that has ended make room', async () => {
  const { tenantId, client } = await aClinicWithKey();
  await sql`
    INSERT INTO api_key (id, tenant_id, public_id, name, secret_hash, scopes)
    SELECT uuid_v7(), ${tenantId}, 'full' || n, 'full', sha256(n::text::bytea), '{}' FROM generate_series(2, 200) n
  `.execute(api.database.em().getKysely());
  const make = () => client.post(PATH, { name: 'One more', preset: 'pms' });
  const refused = await make();
  expect([refused.status, refused.body['error']]).toEqual([409, 'key_limit_reached']);
  const { id } = (await client.get(`${PATH}/me`)).body;
  const rolls = [
    await client.post(`${PATH}/${String(id)}/roll`, {}),
    await client.post(`${PATH}/${String(id)}/roll`, { overlapSeconds: 0 }),
  ];
  expect(rolls.map(({ status }) => status)).toEqual([409, 201]);
  const rolled = createApiClient(api.url, String(rolls[1]?.body['key']));
  const [other] = keysIn(await rolled.get(PATH, { limit: '2' })).filter(({ name }) => name === 'full');
  await rolled.send('POST', `${PATH}/${String(other?.['id'])}/revoke`);
  const both = await Promise.all([1, 2].map(() => rolled.post(PATH, { name: 'Last', preset: 'pms' })));
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
});

test('another clinic’s keys are not there', async () => {
  const { id } = await aKey(await aClinicWithKey(), { preset: 'pms' });
  const stranger = await aClinicWithKey();
  for (const action of ['revoke', 'roll']) {
    const answer = await stranger.client.send('POST', `${PATH}/${id}/${action}`);
    expect([action, answer.status]).toEqual([action, 404]);
  }
  const listed = keysIn(await stranger.client.get(PATH));
  expect(listed.map(({ tenantId }) => tenantId)).toEqual([stranger.tenantId]);
});

test('keys come in pages, newest first', async () => {
  const clinic = await aClinicWithKey();
  for (const name of ['first', 'second', 'third']) await aKey(clinic, { name, preset: 'reporting' });
  const page = await clinic.client.get(PATH, { limit: '2' });
  const rest = await clinic.client.get(PATH, { limit: '2', cursor: String(page.body['nextCursor']) });
  const names = [page, rest].flatMap(keysIn).map(({ name }) => name);
  expect([names, rest.body['hasMore']]).toEqual([['third', 'second', 'first', 'test'], false]);
});

test('who made, rolled and revoked a key is written down', async () => {
  const clinic = await aClinicWithKey();
  const { id } = await aKey(clinic, { scopes: ['tenant:read'] });
  const rolled = await clinic.client.post(`${PATH}/${id}/roll`, { overlapSeconds: 60 });
  await clinic.client.send('POST', `${PATH}/${id}/revoke`);
  const [own, ...rows] = await api.database
    .em()
    .find(AuditEventEntity, { tenantId: clinic.tenantId }, { orderBy: { id: 'asc' } });
  const replacedBy = String(rolled.body['id']);
  const details = { scopes: ['tenant:read'], expiresAt: null };
  const expected = [
    ['api_key.created', id, details],
    ['api_key.created', replacedBy, details],
    ['api_key.rolled', id, { replacedBy, overlapSeconds: 60 }],
    ['api_key.revoked', id, { alsoEnded: [replacedBy] }],
  ];
  // Of one transaction, so of one millisecond: in no order.
  expect(new Set(rows.map((row) => [row.action, row.subjectId, row.details]))).toEqual(new Set(expected));
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([`key:${own?.subjectId}`]));
  expect(own?.details).toMatchObject({ scopes: [...SCOPES] });
});
