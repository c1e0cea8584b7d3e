import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { ApiKeyEntity } from '../../../db/entities/api-key.entity.ts';
import { startTestApi, suiteApi } from '../../support/servers/api-server.ts';
import { createApiClient, type ApiAnswer, type ApiClient } from '../../support/api-client.ts';
import { bookingBody, inHours } from '../../support/clinic.ts';
import { until } from '../../support/until.ts';
import { shortestSpanOf31 } from './accepted-requests.ts';

const LIMIT_HEADERS = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

const api = await suiteApi({ limits: { areDisabled: false, trustedHops: 1 } });

/** Speaks with a key of its own, so that no test spends the limits of another. */
async function newClient(): Promise<ApiClient> {
  return createApiClient(api.url, await api.keyOf());
}

function limitHeadersOf({ headers }: ApiAnswer): string[] {
  return LIMIT_HEADERS.filter((name) => headers.has(name));
}

/** How many answers had each status. */
function tally(answers: readonly ApiAnswer[]): Record<number, number> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}

function times<T>(count: number, send: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, send));
}

function afterRetryAfter({ headers }: ApiAnswer): Promise<void> {
  return pause(Number(headers.get('retry-after')) * 1000);
}

describe('a key', () => {
  test('gets 30 of 31 requests at once, and what it is told to wait is enough', async () => {
    const { client, refused } = await until('a refusal', async () => {
      const client = await newClient();
      const answers = await times(31, () => client.get('/v1/services'));
      const [refused] = answers.filter(({ status }) => status === 429);
      // A machine that takes a second for them is right to accept all.
      if (!refused) expect(await shortestSpanOf31(api.database.em())).toBeGreaterThanOrEqual(1);
      else expect(tally(answers)).toEqual({ 200: 30, 429: 1 });
      return refused ? { client, refused } : null;
    });
    expect(refused.body['error']).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toBe('1');
    await afterRetryAfter(refused);
    expect((await client.get('/v1/services')).status).toBe(200);
  });

  test('is told its limits by every answer, whatever its status', async () => {
    const client = await newClient();
    const weak = createApiClient(api.url, await api.keyOf({ scopes: ['services:read'] }));
    const answers = [
      await client.get('/v1/services'),
      await client.post('/v1/appointments', {}),
      await client.send('POST', '/v1/appointments', { rawBody: '{' }),
      await client.get(`/v1/appointments/${uuidv7()}`),
      await client.delete(`/v1/appointments/${uuidv7()}`),
      await weak.get('/v1/appointments'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 400, 404, 404, 403]);
    for (const answer of answers) expect(limitHeadersOf(answer)).toEqual(LIMIT_HEADERS);
  });

  test('reads its limits in the words of the draft and in the old ones', async () => {
    const client = await newClient();
    const { headers } = await client.get('/v1/services');
    expect(headers.get('ratelimit-policy')).toBe(
      '"key";q=300;w=60, "burst";q=30;w=1, "clinic";q=3000;w=60, "clinic-burst";q=100;w=1',
    );
    expect(headers.get('ratelimit')).toMatch(
      /^"key";r=299;t=60, "burst";r=29;t=1, "clinic";r=\d+;t=\d+, "clinic-burst";r=\d+;t=1$/,
    );
    expect(headers.get('x-ratelimit-limit')).toBe('300');
    expect(headers.get('x-ratelimit-remaining')).toBe('299');
    const [clock] = await api.database
      .em()
      .execute<[{ now: number }]>('SELECT extract(epoch FROM clock_timestamp())::float8 AS now');
    const reset = Number(headers.get('x-ratelimit-reset'));
    expect(reset).toBeLessThanOrEqual(Math.ceil(clock.now + 60));
    expect(reset).toBeGreaterThan(clock.now);
  });

  test('pays for replays and not for refusals', async () => {
    const client = await newClient();
    const body = bookingBody(api.clinic, inHours(30));
    const send = () => client.post('/v1/appointments', body, { 'idempotency-key': 'one' });
    const remaining = async () => Number((await send()).headers.get('x-ratelimit-remaining'));
    expect([await remaining(), await remaining(), await remaining()]).toEqual([299, 298, 297]);
    await times(40, () => client.get('/v1/services'));
    const [row] = await api.database
      .em()
      .execute<[{ n: number }]>(
        `SELECT max(cardinality(accepted)) AS n FROM request_window WHERE subject LIKE 'key:%'`,
      );
    expect(row.n).toBeLessThan(43);
  });

  test('is held back, not refused, when it is a moment early', async () => {
    const client = await newClient();
    await client.get('/v1/services');
    await fillWindow(client, 30, '0.97 seconds');
    expect((await client.get('/v1/services')).status).toBe(200);
    await fillWindow(client, 300, '29.5 seconds');
    const refused = await client.get('/v1/services');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  });
});

/** As if the key in use last had sent so many requests so long ago. */
async function fillWindow(client: ApiClient, count: number, ago: string): Promise<void> {
  await client.get('/v1/services');
  await api.database.em().execute(
    `UPDATE request_window SET accepted = array_fill(clock_timestamp() - ?::interval, ARRAY[?::int])
     WHERE subject = (SELECT 'key:' || id FROM api_key ORDER BY id DESC LIMIT 1)`,
    [ago, count],
  );
}

describe('an address', () => {
  const nobody = () => createApiClient(api.url, null);
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

  test('gets 100 answers 401, then 429, while a good key from it still passes', async () => {
    const here = from('203.0.113.1');
    const answers = await times(101, () => nobody().send('GET', '/v1/services', here));
    expect(tally(answers)).toEqual({ 401: 100, 429: 1 });
    const refused = await nobody().send('GET', '/v1/services', here);
    expect([refused.status, refused.body['error']]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60');
    expect(refused.headers.get('x-ratelimit-limit')).toBe('100');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect((await (await newClient()).send('GET', '/v1/services', here)).status).toBe(200);
  });

  test('is not another address, and an IPv6 address is its /64', async () => {
    await times(100, () => nobody().send('GET', '/v1/services', from('2001:db8:0:1::1')));
    const same = await nobody().send('GET', '/v1/services', from('2001:db8:0:1:ffff::2'));
    const other = await nobody().send('GET', '/v1/services', from('2001:db8:0:2::1'));
    expect([same.status, other.status]).toEqual([429, 401]);
  });

  test('pays for every kind of bad key', async () => {
    const here = from('203.0.113.2');
    const good = await api.keyOf();
    const expired = await api.keyOf({ expiresAt: new Date(Date.now() - 1000) });
    const revoked = await api.keyOf();
    await api.database
      .em()
      .nativeUpdate(ApiKeyEntity, { publicId: revoked.split('_')[2] ?? '' }, { revokedAt: new Date() });
    const keys = [null, 'nonsense', await unknownKey(), expired, revoked, good.replace('_test_', '_live_')];
    const answers = await Promise.all(
      keys.map((key) => createApiClient(api.url, key).send('GET', '/v1/services', here)),
    );
    expect(answers.map(({ status, body }) => [status, body['error']])).toEqual([
      [401, 'missing_api_key'],
      [401, 'invalid_api_key'],
      [401, 'invalid_api_key'],
      [401, 'api_key_expired'],
      [401, 'api_key_revoked'],
      [401, 'invalid_api_key'],
    ]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(keys.map(() => '100'));
    const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.toSorted((a, b) => b - a)).toEqual([99, 98, 97, 96, 95, 94]);
  });
});

/** Well formed, but of a key that is gone. */
async function unknownKey(): Promise<string> {
  const key = await api.keyOf();
  await api.database.em().nativeDelete(ApiKeyEntity, { publicId: key.split('_')[2] ?? '' });
  return key;
}

test('paths that lead nowhere, and those that need no key, speak of no limits', async () => {
  const client = await newClient();
  const answers = [
    await client.get('/v1/nothing'),
    await client.send('DELETE', '/v1/services'),
    await client.get('/health'),
    await client.get('/openapi.json'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 405, 200, 200]);
  expect(answers.flatMap(limitHeadersOf)).toEqual([]);
});

test('with limits switched off nothing is counted and nothing said', async () => {
  const unlimited = await startTestApi({ limits: { areDisabled: true, trustedHops: 0 } });
  const answers = await times(40, () => unlimited.client.get('/v1/services'));
  const refused = await createApiClient(unlimited.url, null).get('/v1/services');
  expect(tally([...answers, refused])).toEqual({ 200: 40, 401: 1 });
  expect([...answers, refused].flatMap(limitHeadersOf)).toEqual([]);
  await unlimited[Symbol.asyncDispose]();
});
