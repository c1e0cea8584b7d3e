import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { until } from '../../support/until.ts';
import { shortestSpanOf31 } from './accepted-requests.ts';

const CONNECTIONS = 400;

const api = await suiteApi({ limits: { areDisabled: false, trustedHops: 1 } });

/** While it is held, no statement can read a key or count a request. */
async function lockAdmission(): Promise<AsyncDisposable> {
  const [{ name }] = await api.database.em().execute<[{ name: string }]>('SELECT current_database() AS name');
  const client = new Client({
    connectionString: new URL(`/${name}`, process.env['TEST_TEMPLATE_URL']).href,
    application_name: 'locking',
  });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE api_key, request_window IN ACCESS EXCLUSIVE MODE');
  return { [Symbol.asyncDispose]: () => client.end() };
}

/** As if anyone who was counted last had used up the limit of a minute just now. */
function useUp(subject: 'key' | 'address', limit: number): Promise<unknown> {
  return api.database.em().execute(
    `UPDATE request_window SET accepted = array_fill(clock_timestamp(), ARRAY[?::int])
     WHERE subject = (
       SELECT subject FROM request_window WHERE subject LIKE ? ORDER BY accepted[cardinality(accepted)] DESC LIMIT 1
     )`,
    [limit, `${subject}:%`],
  );
}

function atOnce(send: () => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, send));
}

function secondsToWait({ headers }: ApiAnswer): number {
  return Number(headers.get('retry-after'));
}

test('a key that exceeded its limit finds the refusal among its requests', async () => {
  const client = createApiClient(api.url, await api.keyOf());
  const { headers } = await client.get('/v1/services');
  await useUp('key', 300);
  const refused = await client.get('/v1/services');
  expect(refused.status).toBe(429);
  const logged = await until('both requests in the log', async () => {
    const rows = await api.database.em().execute<{ id: string; error: string | null }[]>(
      `SELECT id, error FROM request_log
       WHERE key_id = (SELECT key_id FROM request_log WHERE id = ?) ORDER BY id`,
      [headers.get('x-request-id')],
    );
    return rows.length === 2 && rows;
  });
  expect(logged).toEqual([
    { id: headers.get('x-request-id'), error: null },
    { id: refused.headers.get('x-request-id'), error: 'rate_limited' },
  ]);
});

describe('who is over a limit is refused without a question to the database', () => {
  test('a key on 400 connections, and each answer says how things stand', async () => {
    const client = createApiClient(api.url, await api.keyOf());
    const send = () => client.get('/v1/services');
    expect((await send()).status).toBe(200);
    await useUp('key', 300);
    const first = await send();
    await using _lock = await lockAdmission();
    const answers = await atOnce(send);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    const resetOf = ({ headers }: ApiAnswer) => Number(headers.get('x-ratelimit-reset'));
    for (const answer of answers) {
      expect(answer.body['error']).toBe('rate_limited');
      expect(secondsToWait(answer)).toBeLessThanOrEqual(secondsToWait(first));
      expect(secondsToWait(answer)).toBeGreaterThan(1);
      expect(Math.abs(resetOf(answer) - resetOf(first))).toBeLessThanOrEqual(1);
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(answer.headers.get('ratelimit-policy')).toBe(first.headers.get('ratelimit-policy'));
      expect(answer.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+, "burst";r=\d+;t=[01], "clinic";/);
    }
  });

  test('an address without a key', async () => {
    const nobody = createApiClient(api.url, null);
    const send = () => nobody.send('GET', '/v1/services', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect((await send()).status).toBe(401);
    await useUp('address', 100);
    expect((await send()).status).toBe(429);
    await using _lock = await lockAdmission();
    const answers = await atOnce(send);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  });
});

test('400 connections of a key get what its limits allow, and no more, and it passes again when it was told', async () => {
  const client = createApiClient(api.url, await api.keyOf());
  const send = () => client.get('/v1/services');
  const answers = [...(await atOnce(send)), ...(await atOnce(send))];
  const accepted = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 429);
  // What a machine that does not keep up cannot ask in time.
  const shed = answers.filter(({ status }) => status === 503);
  expect(accepted).toBeGreaterThanOrEqual(30);
  expect(refused).not.toEqual([]);
  expect(accepted + refused.length + shed.length).toBe(2 * CONNECTIONS);
  expect((await shortestSpanOf31(api.database.em())) ?? 1).toBeGreaterThanOrEqual(1);
  await pause(Math.max(...refused.map(secondsToWait)) * 1000);
  expect((await send()).status).toBe(200);
});

test('a key that is revoked while it exceeds its limit gets that answer afterwards', async () => {
  const key = await api.keyOf();
  const client = createApiClient(api.url, key);
  await Promise.all(Array.from({ length: 31 }, () => client.get('/v1/services')));
  await api.database
    .em()
    .execute('UPDATE api_key SET revoked_at = now() WHERE public_id = ?', [key.split('_')[2] ?? '']);
  let answer = await client.get('/v1/services');
  while (answer.status === 429) {
    await pause(secondsToWait(answer) * 1000);
    answer = await client.get('/v1/services');
  }
  expect([answer.status, answer.body['error']]).toEqual([401, 'api_key_revoked']);
});
