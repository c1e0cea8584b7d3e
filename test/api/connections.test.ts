import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { RequestState } from '../../api/middleware/request-state.ts';
import { startServer, type RunningServer } from '../../api/server.ts';
import { until } from '../support/until.ts';

/** What proxies keep idle connections for, as a rule. */
const PROXY_SECONDS = 60;
const MOST = 10;

let server: RunningServer;

beforeAll(async () => {
  const app = new Koa<RequestState>();
  app.use((ctx) => void (ctx.body = 'done'));
  server = await startServer(app, { host: '127.0.0.1', port: 0, mostConnections: MOST });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}

test('an idle connection is kept for longer than a proxy keeps it', async () => {
  const socket = await open();
  const answer = await ask(socket);
  expect(Number(/Keep-Alive: timeout=(\d+)/.exec(answer)?.[1])).toBeGreaterThan(PROXY_SECONDS + 4);
  socket.destroy();
});

describe('more connections than the process takes', () => {
  test('are told to come back, and are taken once others have ended', async () => {
    const open10 = await Promise.all(Array.from({ length: MOST }, open));
    for (const socket of open10) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    const oneTooMany = await open();
    const refusal = await ask(oneTooMany);
    expect(refusal).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(refusal).toMatch(/\r\nRetry-After: [1-9]/);
    expect(refusal).toContain('"error":"temporarily_unavailable"');
    await once(oneTooMany, 'close');
    open10[0]?.destroy();
    const last = await until('a place to be free', async () => {
      const answer = await ask(await open());
      return answer.startsWith('HTTP/1.1 200 ') && answer;
    });
    expect(last).toContain('done');
    for (const socket of open10) socket.destroy();
  });

  test('take the place of those on which nobody has asked anything', async () => {
    const halfSent = await Promise.all(Array.from({ length: MOST }, open));
    for (const socket of halfSent) socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const places = await Promise.all([open(), open()]);
    for (const socket of places) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [...halfSent, ...places]) socket.destroy();
  });

  test('are hung up on when there are very many', async () => {
    const sockets = await Promise.all(Array.from({ length: 2 * MOST }, open));
    const ended = sockets.map((socket) => once(socket, 'close'));
    await Promise.any(ended);
    for (const socket of sockets) socket.destroy();
  });
});
