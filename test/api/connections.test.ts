import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { RequestState } from '../../api/middleware/request-state.ts';
import { startServer } from '../../api/server.ts';
import { until } from '../support/until.ts';
import { forSuite } from '../support/for-suite.ts';

/** What proxies keep idle connections for, as a rule. */
const PROXY_SECONDS = 60;
const MOST = 10;
const MAX_OF_AN_ADDRESS = 4;
const OTHER_ADDRESS = '127.0.0.2';

const app = new Koa<RequestState>();
app.use((ctx) => void (ctx.body = 'done'));
const listen = { host: '127.0.0.1', port: 0 };
const server = await forSuite(startServer(app, { ...listen, most: { most: MOST, mostOfAnAddress: MOST } }));
const sharing = await forSuite(
  startServer(app, {
    ...listen,
    most: { most: MOST, mostOfAnAddress: MAX_OF_AN_ADDRESS },
  }),
);

async function open(to = server, localAddress = '127.0.0.1', allowHalfOpen = false): Promise<Socket> {
  const { hostname, port } = new URL(to.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress, allowHalfOpen });
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
    const open10 = await Promise.all(Array.from({ length: MOST }, () => open()));
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

  test('replace those on which no one has asked anything', async () => {
    const halfSent = await Promise.all(Array.from({ length: MOST }, () => open()));
    for (const socket of halfSent) socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const places = await Promise.all([open(), open()]);
    for (const socket of places) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [...halfSent, ...places]) socket.destroy();
  });

  test('are hung up on when there are very many', async () => {
    const sockets = await Promise.all(Array.from({ length: 2 * MOST }, () => open()));
    const ended = sockets.map((socket) => once(socket, 'close'));
    await Promise.any(ended);
    for (const socket of sockets) socket.destroy();
  });
});

test('a peer that was refused loses its place even if it never hangs up', async () => {
  const halfOpen = await Promise.all(
    Array.from({ length: MAX_OF_AN_ADDRESS }, () => open(sharing, OTHER_ADDRESS, true)),
  );
  for (const socket of halfOpen) {
    expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    socket.resume().write('GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n');
    await once(socket, 'end');
  }
  const next = await until('a place to be free', async () => {
    const socket = await open(sharing, OTHER_ADDRESS);
    const answer = await ask(socket);
    socket.destroy();
    return answer.startsWith('HTTP/1.1 200 ') && answer;
  });
  expect(next).toContain('done');
  for (const socket of halfOpen) socket.destroy();
});

describe('more connections than an address may have', () => {
  test('are told to come back, while others are taken', async () => {
    const share = await Promise.all(Array.from({ length: MAX_OF_AN_ADDRESS }, () => open(sharing)));
    for (const socket of share) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    const oneTooMany = await open(sharing);
    expect(await ask(oneTooMany)).toMatch(/^HTTP\/1\.1 503 /);
    const other = await open(sharing, OTHER_ADDRESS);
    expect(await ask(other)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [...share, other]) socket.destroy();
  });

  test('take the places of that address alone', async () => {
    const others = await Promise.all([open(sharing, OTHER_ADDRESS), open(sharing, OTHER_ADDRESS)]);
    const crowd = await Promise.all(Array.from({ length: 5 * MAX_OF_AN_ADDRESS }, () => open(sharing)));
    for (const socket of others) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [...others, ...crowd]) socket.destroy();
  });

  test('cannot wait in numbers to be told so', async () => {
    const share = await Promise.all(Array.from({ length: MAX_OF_AN_ADDRESS }, () => open(sharing)));
    for (const socket of share) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    const waiting = await Promise.all([open(sharing), open(sharing)]);
    await Promise.any(waiting.map((socket) => once(socket, 'close')));
    for (const socket of [...share, ...waiting]) socket.destroy();
  });
});
