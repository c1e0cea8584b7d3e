import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { anyPort } from '../../dev/processes/free-port.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { createApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { createTestDatabase, openTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const api = await suiteApi({ limits: { areDisabled: false, trustedHops: 0 } });

async function linesOf(name: string): Promise<string[]> {
  const text = await api.metrics.expose();
  return text.split('\n').filter((line) => line.startsWith(name));
}

/** The connection is done with an answer a moment after the client is. */
async function untilLine(line: string): Promise<void> {
  await until(line, async () => (await linesOf(line)).length > 0);
}

test('a request is counted under the path of the contract, never under an id or a path that a caller made up', async () => {
  await api.client.get('/v1/appointments/0195571c-5a60-7a3e-9f00-2f5d1c9b7a20');
  await api.client.get('/somewhere/else/912345678');
  await untilLine(
    'http_request_duration_seconds_count{method="GET",route="/v1/appointments/{id}",status="404"} 1',
  );
  await untilLine('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1');
  const all = await api.metrics.expose();
  expect(all).not.toContain('0195571c');
  expect(all).not.toContain('912345678');
});

test('a request that is admitted, and one that is refused for its key, are told apart', async () => {
  await api.client.get('/v1/tenants/me');
  await createApiClient(api.url, 'nonsense').get('/v1/tenants/me');
  expect(await linesOf('admissions_total')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^admissions_total\{outcome="admitted"\} [1-9]/),
      'admissions_total{outcome="invalid_api_key"} 1',
    ]),
  );
});

test('what the process has of memory, connections, queues and disk is told', async () => {
  expect(await linesOf('queue_length')).toEqual(
    [
      'clinic_turns',
      'large_answers',
      'idempotency',
      'admission',
      'bookings',
      'edits',
      'appointments',
      'agents',
    ].map((queue) => `queue_length{queue="${queue}"} 0`),
  );
  expect(await linesOf('database_up')).toEqual(['database_up 1']);
  expect(await linesOf('database_pool_size')).toEqual([
    'database_pool_size{pool="clinics"} 10',
    'database_pool_size{pool="default"} 10',
    'database_pool_size{pool="admission"} 4',
    'database_pool_size{pool="outbox"} 10',
  ]);
  expect(await linesOf('disk_free_bytes')).toEqual([
    expect.stringMatching(/^disk_free_bytes\{disk="recordings"\} [1-9]/),
  ]);
  expect(await linesOf('nodejs_eventloop_lag_p99_seconds ')).toHaveLength(1);
});

test('work that waits for a connection or for its clinic is counted', async () => {
  await using database = await openTestDatabase({ poolSize: 1 });
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const clinic = database.ofClinic(randomUUID());
  const slow = clinic.write(async (em) => {
    await em.execute('SELECT 1');
    await isOver;
  });
  const second = clinic.read((em) => em.execute('SELECT 1'));
  const third = database.ofClinics([]).read((em) => em.execute('SELECT 1'));
  await until('both to wait', () => {
    const { pools, queues } = database.load();
    const [pool] = pools;
    return pool?.inUse === 1 && pool.waiting === 1 && queues[0]?.waiting === 1;
  });
  end();
  await Promise.all([slow, second, third]);
  expect(database.load().queues).toEqual([
    { queue: 'clinic_turns', waiting: 0 },
    { queue: 'large_answers', waiting: 0 },
  ]);
});

test('the metrics have an address of their own, where no client of the API looks', async () => {
  const own = await createTestDatabase();
  const port = await anyPort('127.0.0.1');
  const process = await startApiProcess(own.url, { METRICS_PORT: String(port) });
  expect((await fetch(`${process.url}/metrics`)).status).toBe(404);
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4']);
  expect(await answer.text()).toContain('database_up 1');
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  await process.stop();
  await own[Symbol.asyncDispose]();
});
