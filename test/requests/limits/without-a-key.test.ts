import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { request } from 'undici';
import { suiteApi } from '../../support/servers/api-server.ts';

const api = await suiteApi({ limits: { areDisabled: false, trustedHops: 1 } });

/** The statuses of so many requests, one after the other, from one address. */
async function ask(address: string, count: number, path: () => string) {
  const statuses: number[] = [];
  let retryAfter: string | undefined;
  for (let nr = 0; nr < count; nr += 1) {
    const headers = { 'x-forwarded-for': address };
    const answer = await request(api.url + path(), { headers, method: 'HEAD' });
    await answer.body.dump();
    statuses.push(answer.statusCode);
    retryAfter = answer.headers['retry-after']?.toString() ?? retryAfter;
  }
  return { statuses, retryAfter };
}

test('an address reads 300 documents in a minute, whichever they are, and another address still reads its own', async () => {
  const addresses = ['/openapi.json', '/docs', '/llms.txt', '/docs/nowhere', '/collection.json'];
  let nr = 0;
  const next = () => addresses[(nr += 1) % addresses.length] ?? '';
  const { statuses, retryAfter } = await ask('192.0.2.1', 302, next);
  expect(statuses.slice(0, 300)).not.toContain(429);
  expect(statuses.slice(300)).toEqual([429, 429]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(Number(retryAfter)).toBeLessThanOrEqual(60);
  expect((await ask('192.0.2.2', 1, () => '/llms.txt')).statuses).toEqual([200]);
});

test('recording links with a bad signature count as requests without a key, unknown addresses do not', async () => {
  const forged = () =>
    `/recordings/${randomUUID()}?expires=4000000000&by=key:${randomUUID()}&signature=forged`;
  expect((await ask('192.0.2.3', 120, () => '/v1/nowhere')).statuses).not.toContain(429);
  const { statuses, retryAfter } = await ask('192.0.2.3', 101, forged);
  expect(statuses).toEqual([...Array(100).fill(404), 429]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect((await ask('192.0.2.3', 1, () => '/v1/appointments')).statuses).toEqual([429]);
  expect((await ask('192.0.2.3', 1, () => '/health')).statuses).toEqual([200]);
});
