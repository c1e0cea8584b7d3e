import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { suiteApi } from '../../support/servers/api-server.ts';
import { createApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { startApiProcess } from '../../support/servers/api-process.ts';
import { shortestSpanOf31 } from './accepted-requests.ts';

const api = await suiteApi();
const [row] = await api.database.em().execute<[{ name: string }]>('SELECT current_database() AS name');
const databaseUrl = new URL(`/${row.name}`, process.env['TEST_TEMPLATE_URL']).href;

test('two API processes share the limits: 30 of 31 in a second, 300 of 301 in a minute', async () => {
  await using one = await startApiProcess(databaseUrl);
  await using other = await startApiProcess(databaseUrl);
  const key = await api.keyOf();
  const [even, odd] = [createApiClient(one.url, key), createApiClient(other.url, key)];
  const send = (at: number) => (at % 2 === 0 ? even : odd).get('/v1/services');
  let accepted = 0;
  let refused: ApiAnswer | undefined;
  const retryAfter = () => Number(refused?.headers.get('retry-after') ?? 0);
  while (accepted < 300 && retryAfter() <= 1) {
    await pause(retryAfter() * 1000);
    const answers = await Promise.all(Array.from({ length: 31 }, (_, at) => send(at)));
    accepted += answers.filter(({ status }) => status === 200).length;
    refused = answers.find(({ status }) => status === 429);
  }
  expect(accepted).toBe(300);
  expect(await shortestSpanOf31(api.database.em())).toBeGreaterThanOrEqual(1);
  await pause(1000);
  const last = await send(1);
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(1);
});
