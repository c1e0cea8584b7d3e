import { expect, test } from '@jest/globals';
import { revokeApiKey, rollApiKey } from '../../commands/clinic/change-api-key.ts';
import { openPortalLink } from '../../commands/people/portal-links.ts';
import { useSession } from '../../db/people/use-session.ts';
import { SCOPES, type Scope } from '../../domain/clinic/api-scopes.ts';
import { hashToken } from '../../domain/people/token.ts';
import { createApiClient, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { suiteDatabase } from '../support/database.ts';
import { KeysRolledFromMigration } from '../../db/migrations/007-keys-rolled-from.ts';

const PATH = '/v1/api-keys';
const HOUR_MS = 3_600_000;

let now = new Date();
const api = await suiteApi({ now: () => now });

interface Key {
  id: string;
  client: ApiClient;
}

const keyIn = ({ body }: ApiAnswer): Key => ({
  id: String(body['id']),
  client: createApiClient(api.url, String(body['key'])),
});

/** A key that no key made. */
async function aKey(
  tenantId: string,
  options: { scopes?: readonly Scope[]; expiresAt?: Date } = {},
): Promise<Key> {
  const client = createApiClient(api.url, await api.keyOf({ tenantId, ...options }));
  return { id: String((await client.get(`${PATH}/me`)).body['id']), client };
}

async function make(maker: Key, name: string, scopes: readonly Scope[] = SCOPES): Promise<Key> {
  const made = await maker.client.post(PATH, { name, scopes });
  expect(made.status).toBe(201);
  return keyIn(made);
}

async function roll(caller: Key, old: Key, overlapSeconds = 3600): Promise<Key> {
  const rolled = await caller.client.post(`${PATH}/${old.id}/roll`, { overlapSeconds });
  expect([rolled.status, rolled.body['rolledFromKeyId']]).toEqual([201, old.id]);
  return keyIn(rolled);
}

const revoke = (caller: Key, { id }: Key, body?: object) => caller.client.post(`${PATH}/${id}/revoke`, body);
const endedIn = ({ body }: ApiAnswer) =>
  (body['alsoEnded'] as { keys: { id: string }[] }).keys.map(({ id }) => id);
const ids = (keys: readonly Key[]) => keys.map(({ id }) => id).toSorted();

/** Whether each of these keys opens something. */
const areOpen = (keys: readonly Key[]) =>
  Promise.all(keys.map(async ({ client }) => (await client.get(`${PATH}/me`)).status === 200));

async function aClinicWithTwo() {
  const { tenantId } = await aClinic(api.database);
  return { tenantId, owner: await aKey(tenantId), old: await aKey(tenantId) };
}

test('a stolen key that rolled itself, again and again, does not outlive its revocation', async () => {
  const { owner, old } = await aClinicWithTwo();
  const second = await roll(old, old);
  const third = await roll(second, second);
  const made = await make(third, 'Made by the third', ['calls:read']);
  const revoked = await revoke(owner, old);
  expect([revoked.status, endedIn(revoked)]).toEqual([200, ids([second, third, made])]);
  expect(revoked.body['alsoEnded']).toMatchObject({
    keys: expect.arrayContaining([{ id: made.id, name: 'Made by the third', publicId: expect.any(String) }]),
  });
  expect(await areOpen([old, second, third, made, owner])).toEqual([false, false, false, false, true]);
});

test('what a key left behind ends by revoking it after it has ended, by expiry or by revocation', async () => {
  const { tenantId, owner } = await aClinicWithTwo();
  const old = await aKey(tenantId);
  const second = await roll(old, old, 0);
  const [third, fourth] = [await roll(second, second, 0), await roll(owner, old, 0)];
  expect(await areOpen([old, second, third, fourth])).toEqual([false, false, true, true]);
  expect(endedIn(await revoke(owner, old))).toEqual(ids([third, fourth]));
  const again = await revoke(owner, old);
  expect([again.status, endedIn(again)]).toEqual([200, []]);

  const kept = await aKey(tenantId);
  const successor = await roll(owner, kept);
  expect(endedIn(await revoke(owner, kept, { keepSuccessor: true }))).toEqual([]);
  expect(await areOpen([kept, successor])).toEqual([false, true]);
  expect(endedIn(await revoke(owner, kept))).toEqual([successor.id]);
  expect(await areOpen([successor])).toEqual([false]);
});

test('a key that another key rolled ends with what that one made, and with the key it replaced', async () => {
  const { tenantId, owner, old } = await aClinicWithTwo();
  const child = await make(old, 'Child');
  const stranger = await aKey(tenantId);
  const rolledChild = await roll(stranger, child);
  expect(endedIn(await revoke(owner, old))).toEqual(ids([child, rolledChild]));
  expect(await areOpen([stranger])).toEqual([true]);
});

test('after a normal rotation the old key is revoked alone: what it made ends, the successor and what that made stay', async () => {
  const { tenantId, old } = await aClinicWithTwo();
  const ofOld = await make(old, 'Of the old one', ['keys:write', 'calls:read']);
  const ofThat = await roll(ofOld, ofOld);
  const successor = await roll(old, old);
  const [ofSuccessor, takenOver] = [
    await make(successor, 'Of the new one', ['calls:read']),
    await roll(successor, ofOld),
  ];
  const next = await roll(successor, successor);
  const stolenBack = keyIn(await createOver(old, successor));
  const manager = await aKey(tenantId);
  const revoked = await revoke(manager, old, { keepSuccessor: true });
  expect([revoked.status, endedIn(revoked)]).toEqual([200, ids([ofOld, ofThat, stolenBack])]);
  expect(await areOpen([successor, ofSuccessor, takenOver, next])).toEqual([true, true, true, true]);
  expect(await areOpen([old, ofOld, ofThat, stolenBack])).toEqual([false, false, false, false]);
});

/** A key that the old one makes by rolling its own successor. */
const createOver = (old: Key, successor: Key) =>
  old.client.post(`${PATH}/${successor.id}/roll`, { overlapSeconds: 3600 });

test('a key that is related to the old one cannot keep the successor, nor one that lacks a scope', async () => {
  const { tenantId, owner } = await aClinicWithTwo();
  const old = await make(owner, 'Old');
  const [successor, child] = [await roll(old, old), await make(old, 'Child')];
  const weak = await aKey(tenantId, { scopes: ['keys:write'] });
  for (const caller of [owner, old, successor, child, weak]) {
    const refused = await revoke(caller, old, { keepSuccessor: true });
    expect([refused.status, refused.body['error']]).toEqual([403, 'insufficient_scope']);
  }
  expect(await areOpen([old, successor, child])).toEqual([true, true, true]);
});

test('portal links and sessions of every key that ends, end and are counted', async () => {
  const { tenantId, owner, old } = await aClinicWithTwo();
  const successor = await roll(old, old);
  const link = async ({ client }: Key) =>
    String((await client.post('/v1/portal-links', undefined)).body['url'])
      .split('/')
      .at(-1) ?? '';
  const [opened, unopened] = [await link(successor), await link(old)];
  const visit = { browser: null, system: null, address: '127.0.0.1' };
  const context = { requestId: null, now };
  const session = await api.database.write((em) => openPortalLink(em, { token: opened, visit }, context));
  const revoked = await revoke(owner, old);
  expect(revoked.body['alsoEnded']).toMatchObject({ portalLinks: 1, portalSessions: 1 });
  const tokenHash = hashToken(session?.token ?? '');
  const use = { tokenHash, address: '127.0.0.1', isUse: true, now };
  expect(await api.database.write((em) => useSession(em, use))).toBeNull();
  const late = await api.database.write((em) => openPortalLink(em, { token: unopened, visit }, context));
  expect([tenantId, late]).toEqual([tenantId, null]);
});

test('whatever comes first, no key that a roll makes outlives the revocation of the old one', async () => {
  const { tenantId } = await aClinic(api.database);
  for (let round = 0; round < 6; round += 1) {
    const old = await aKey(tenantId);
    const wanted = { tenantId, keyId: old.id };
    const rolled = api.database.write((em) =>
      rollApiKey(em, { ...wanted, callerKeyId: old.id, overlapSeconds: 60, mode: 'test' }, asOperator()),
    );
    const revoked = api.database.write((em) => revokeApiKey(em, wanted, asOperator()));
    const [roll] = await Promise.allSettled([rolled, revoked]);
    await revoked;
    if (roll.status === 'fulfilled') {
      const client = createApiClient(api.url, roll.value.key);
      expect((await client.get(`${PATH}/me`)).body['error']).toBe('api_key_revoked');
    } else expect(roll.reason).toMatchObject({ code: 'validation_failed' });
  }
});

test('a key that expired does not hide what it left behind', async () => {
  const { tenantId, owner } = await aClinicWithTwo();
  const old = await aKey(tenantId, { expiresAt: new Date(now.getTime() + HOUR_MS) });
  const successor = await roll(owner, old, 60);
  now = new Date(now.getTime() + 50 * 60_000);
  const third = await roll(owner, successor, 0);
  now = new Date(now.getTime() + 20 * 60_000);
  expect(await areOpen([old, successor, third])).toEqual([false, false, true]);
  expect(endedIn(await revoke(owner, old))).toEqual([third.id]);
});

const database = await suiteDatabase();

test('a key that was rolled after its request came, and before the request’s turn, makes no key that has ended already', async () => {
  const { tenantId } = await aClinic(database);
  const input = { tenantId, name: 'PMS', scopes: ['keys:write'], expiresAt: null, mode: 'test' } as const;
  const { id } = (await database.write((em) => createApiKey(em, input, asOperator()))).row;
  const itself = { tenantId, keyId: id, callerKeyId: id, overlapSeconds: 0, mode: 'test' } as const;
  const earlier = { ...asOperator(), now: new Date(Date.now() - 5000) };
  await database.write((em) => rollApiKey(em, itself, asOperator()));

  const refused = { code: 'api_key_expired' };
  await expect(database.write((em) => rollApiKey(em, itself, earlier))).rejects.toMatchObject(refused);
  const child = { ...input, parentKeyId: id };
  await expect(database.write((em) => createApiKey(em, child, earlier))).rejects.toMatchObject(refused);
});

test('a key that was rolled before keys named what they replaced is known from the audit, and ends with it too', async () => {
  const { tenantId } = await aClinic(database);
  const input = { tenantId, name: 'PMS', scopes: ['keys:write'], expiresAt: null, mode: 'test' } as const;
  const { id } = (await database.write((em) => createApiKey(em, input, asOperator()))).row;
  const itself = { tenantId, keyId: id, callerKeyId: id, overlapSeconds: 60, mode: 'test' } as const;
  const successor = (await database.write((em) => rollApiKey(em, itself, asOperator()))).row;
  await database.em().execute('UPDATE api_key SET rolled_from_key_id = NULL WHERE id = ?', [successor.id]);

  const em = database.em();
  const migration = new KeysRolledFromMigration(em.getDriver(), em.config);
  migration.up();
  for (const statement of migration.getQueries()) {
    if (typeof statement !== 'string') throw new TypeError('the migration is plain SQL');
    await em.execute(statement);
  }

  const { alsoEnded } = await database.write((inner) =>
    revokeApiKey(inner, { tenantId, keyId: id }, asOperator()),
  );
  expect(alsoEnded.keys.map((key) => key.id)).toEqual([successor.id]);
});
