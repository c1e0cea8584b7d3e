import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import type { RequestState } from '../../api/middleware/request-state.ts';
import { startServer } from '../../api/server.ts';
import { endLease, renewLease } from '../../db/outbox/lease-rows.ts';
import { aLease } from '../support/leases.ts';
import { until } from '../support/until.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { callersEnvironment } from '../support/environment/callers-environment.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { forSuite } from '../support/for-suite.ts';

const database = await forSuite(createTestDatabase());

function isUp(parts: object): boolean {
  return 'temporal' in parts && parts.temporal === 'up';
}

async function read(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await text(response);
  return response;
}

test('it learns from the workers alone whether Temporal is reached, and ends in order although a client keeps its connection', async () => {
  const api = await startApiProcess(database.url, { TEMPORAL_ADDRESS: '127.0.0.1:1' });
  const agent = new Agent({ keepAlive: true });
  expect((await read(`${api.url}/health`, agent)).statusCode).toBe(200);
  expect((await read(`${api.url}/health/ready`, agent)).statusCode).toBe(200);
  await using open = await openDatabaseAt(database.url);
  const workerId = await aLease(open.em());
  const said = async () =>
    ((await (await fetch(`${api.url}/health/ready`)).json()) as { parts: object }).parts;
  expect(await said()).toEqual({ database: 'up', temporal: 'down' });
  await renewLease(open.em(), workerId, { seconds: 3600, reachesTemporal: true });
  await until('the word of the worker', async () => isUp(await said()));
  await endLease(open.em(), workerId);
  await until('no one to say so', async () => !isUp(await said()));
  expect(await api.stop()).toBe(0);
  agent.destroy();
});

test('a disk that is full of its log stops neither its answers nor its end', async () => {
  const api = await startApiProcess(database.url, { LOG_LEVEL: 'trace' }, { isLogDiskFull: true });
  const agent = new Agent();
  for (let asked = 0; asked < 3; asked += 1)
    expect((await read(`${api.url}/health`, agent)).statusCode).toBe(200);
  expect(await api.stop()).toBe(0);
  agent.destroy();
});

test('a request under way is answered before the server is gone, and its connection ends with it', async () => {
  const arrived = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const app = new Koa<RequestState>();
  app.use(async (ctx) => {
    arrived.resolve();
    await proceed.promise;
    ctx.body = 'done';
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  const answer = read(server.url, agent);
  await arrived.promise;
  const closed = server[Symbol.asyncDispose]();
  proceed.resolve();
  expect((await answer).statusCode).toBe(200);
  await closed;
  agent.destroy();
});

test('a bad environment ends it at once, with every problem named', async () => {
  const child = spawn(process.execPath, ['api/main.ts'], {
    env: { ...callersEnvironment(), PORT: '99999', DATABASE_URL: 'mysql://secret@db' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  for (const name of ['SERVICE_MODE', 'DATABASE_URL', 'PHONE_HASH_KEY', 'ENCRYPTION_KEY', 'PORT']) {
    expect(errors).toContain(`${name}: `);
  }
  expect(errors).not.toContain('secret');
});
