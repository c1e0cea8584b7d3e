import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { Contract } from '../../api/contract/define-contracts.ts';
import { contracts } from '../../api/resources.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { newApiKey, parseApiKey } from '../../domain/clinic/api-key.ts';
import { SCOPES, type Scope } from '../../domain/clinic/api-scopes.ts';
import { createApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic } from '../support/clinic.ts';

const SOME_ID = '00000000-0000-0000-0000-000000000000';
const PATH = '/v1/tenants/me';

let now = new Date();

const api = await suiteApi({ now: () => now });

async function storedKey(key: string) {
  const publicId = parseApiKey(key)?.publicId ?? '';
  return api.database.em().findOneOrFail(ApiKeyEntity, { publicId });
}

async function answerFor(authorization: string | null) {
  const request = authorization === null ? {} : { headers: { authorization } };
  return createApiClient(api.url, null).send('GET', PATH, request);
}

describe('a request is refused', () => {
  test.each([null, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'svc_test_x'])(
    'without a bearer key: %j',
    async (authorization) => {
      const answer = await answerFor(authorization);
      expect([answer.status, answer.body['error']]).toEqual([401, 'missing_api_key']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="clinic"');
    },
  );

  test('with something that is no key', async () => {
    const key = await api.keyOf();
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    for (const text of ['x', mistyped, `${key}x`, key.toUpperCase()]) {
      const answer = await answerFor(`Bearer ${text}`);
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_api_key']);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('with a well-formed key that was never given out', async () => {
    const answer = await answerFor(`Bearer ${newApiKey('test').key}`);
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_api_key']);
  });

  test('with the public id of one key and the secret of another', async () => {
    const { key, publicId } = newApiKey('test');
    const { secretHash } = newApiKey('test');
    await api.database.write(async (em) => {
      const { tenantId } = api.clinic;
      await em.insert(ApiKeyEntity, {
        id: uuidv7(),
        tenantId,
        publicId,
        secretHash,
        name: 'x',
        scopes: [...SCOPES],
      });
    });
    const answer = await answerFor(`Bearer ${key}`);
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_api_key']);
    expect((await storedKey(key)).lastUsedAt).toBeNull();
  });

  test('with a key of the other mode, and the message says so', async () => {
    const answer = await answerFor(`Bearer ${newApiKey('live').key}`);
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_api_key']);
    expect(answer.body['message']).toContain('live');
  });

  test('with a key that has expired, from that instant on', async () => {
    const expiresAt = new Date(now.getTime() + 1000);
    const key = await api.keyOf({ expiresAt });
    expect((await answerFor(`Bearer ${key}`)).status).toBe(200);
    now = expiresAt;
    const answer = await answerFor(`Bearer ${key}`);
    expect([answer.status, answer.body['error']]).toEqual([401, 'api_key_expired']);
  });

  test('with a key that was revoked', async () => {
    const key = await api.keyOf();
    const { id } = await storedKey(key);
    await api.database.write((em) => em.nativeUpdate(ApiKeyEntity, { id }, { revokedAt: now }));
    const answer = await answerFor(`Bearer ${key}`);
    expect([answer.status, answer.body['error']]).toEqual([401, 'api_key_revoked']);
  });
});

test('a key’s last use is noted at most once a minute', async () => {
  const key = await api.keyOf();
  const use = async () => {
    expect((await answerFor(`bearer ${key}`)).status).toBe(200);
    return (await storedKey(key)).lastUsedAt;
  };
  const first = now;
  expect(await use()).toEqual(first);
  now = new Date(first.getTime() + 59_000);
  expect(await use()).toEqual(first);
  now = new Date(first.getTime() + 61_000);
  expect(await use()).toEqual(now);
});

const keyed = Object.entries<Contract>(contracts).flatMap(([id, contract]) =>
  contract.access === 'public' ? [] : [[id, contract, contract.access] as const],
);

const scoped = keyed.filter(([, , required]) => required.length > 0);

describe.each(scoped)('%s', (_id, { method, path }, required) => {
  const address = path.replace('{id}', SOME_ID);

  test('needs its scopes, and no others will do', async () => {
    const others = SCOPES.filter((scope) => !required.includes(scope));
    const answer = await createApiClient(api.url, await api.keyOf({ scopes: others })).send(method, address);
    expect([answer.status, answer.body['error']]).toEqual([403, 'insufficient_scope']);
    expect(answer.body['requiredScopes']).toEqual(required);
    expect(answer.headers.get('www-authenticate')).toContain(`scope="${required.join(' ')}"`);
  });
});

describe.each(keyed)('%s', (_id, { method, path }, required) => {
  const address = path.replace('{id}', SOME_ID);

  test('is open to a key with its scopes alone', async () => {
    const scopes: readonly Scope[] = required;
    const answer = await createApiClient(api.url, await api.keyOf({ scopes })).send(method, address);
    expect([401, 403]).not.toContain(answer.status);
  });

  test('is closed to a clinic that is canceled', async () => {
    const { tenantId } = await aClinic(api.database);
    const client = createApiClient(api.url, await api.keyOf({ tenantId }));
    await api.database.em().nativeUpdate(TenantEntity, { id: tenantId }, { status: 'canceled' });
    const answer = await client.send(method, address);
    expect([answer.status, answer.body['error']]).toEqual([403, 'clinic_inactive']);
  });

  test('says 401 before it reads anything', async () => {
    const answer = await createApiClient(api.url, null).send(method, `${address}?unheardOf=1`, {
      ...(method !== 'GET' && { rawBody: '{broken' }),
    });
    expect(answer.status).toBe(401);
  });
});
