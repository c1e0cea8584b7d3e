import { expect, test } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { forSuite } from '../support/for-suite.ts';

const database = await forSuite(createTestDatabase());

async function readiness(url: string) {
  const response = await fetch(`${url}/health/ready`);
  const { status } = (await response.json()) as { status: string };
  return { code: response.status, status, connection: response.headers.get('connection') };
}

test('a process that is told to end says so to its proxy first, and serves what still comes', async () => {
  const api = await startApiProcess(database.url, {}, { isOnItsOwn: true });
  await until('readiness', async () => (await readiness(api.url)).code === 200);
  const ended = api.stop();
  const stopping = await until('readiness to fail', async () => {
    const found = await readiness(api.url);
    return found.code === 503 && found;
  });
  expect(stopping).toEqual({ code: 503, status: 'stopping', connection: 'close' });
  const late = await fetch(`${api.url}/v1/services`);
  expect([late.status, late.headers.get('connection')]).toEqual([401, 'close']);
  expect(await ended).toBe(0);
  await expect(fetch(`${api.url}/health`)).rejects.toThrow();
});

test('a process that no one sends requests to but its own machine ends at once', async () => {
  const api = await startApiProcess(database.url);
  const ended = api.stop();
  await until('the listener to be closed', () =>
    readiness(api.url).then(
      ({ status }) => expect(status).not.toBe('stopping'),
      () => true,
    ),
  );
  expect(await ended).toBe(0);
});
