import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { listen } from '../../dashboard/serving/listen.ts';
import { until } from '../support/until.ts';
import { forSuite } from '../support/for-suite.ts';

/** As many as the dashboard takes, and of one address. */
const MANY = 1000;
const SHARE = 250;
const PAGE = 'GET / HTTP/1.1\r\nHost: x\r\n';

let slow = Promise.withResolvers<void>();
let asked = 0;

const dashboard = await forSuite(listen(answer, { host: '127.0.0.1', port: 0 }));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request).catch(() => null);
  if (body === null) return void response.destroy();
  asked += 1;
  if (request.url === '/slow') await slow.promise;
  response.end('a page');
}

async function openWith(sent: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: dashboard.port, localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

async function answerTo(socket: Socket): Promise<string> {
  const [piece] = (await once(socket, 'data')) as [Buffer];
  return piece.toString();
}

test.each([
  ['half-sent requests', PAGE],
  ['half-sent forms', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nname='],
  ['connections that say nothing', ''],
  ['connections that have had their page', `${PAGE}\r\n`],
])('a thousand %s from one address keep no one out', async (_, sent) => {
  slow = Promise.withResolvers();
  const slowPage = await openWith('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  const crowd = await Promise.all(Array.from({ length: MANY }, () => openWith(sent)));
  for (let i = 0; i < 3; i += 1) {
    const visitor = await openWith(`${PAGE}\r\n`);
    expect(await answerTo(visitor)).toMatch(/^HTTP\/1\.1 200 /);
    visitor.destroy();
  }
  slow.resolve();
  expect(await answerTo(slowPage)).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of [slowPage, ...crowd]) socket.destroy();
});

test('an address with too many connections to slow pages is disconnected, and others are served', async () => {
  slow = Promise.withResolvers();
  const slowPage = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';
  asked = 0;
  const share = await Promise.all(Array.from({ length: SHARE }, () => openWith(slowPage)));
  await until('all of them to have asked', async () => asked === SHARE);
  const quick = await openWith('');
  await once(quick, 'close');
  const visitor = await openWith(`${PAGE}\r\n`, '127.0.0.2');
  expect(await answerTo(visitor)).toMatch(/^HTTP\/1\.1 200 /);
  slow.resolve();
  for (const socket of share) expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of [visitor, ...share]) socket.destroy();
});

test('a request that names two hosts is refused before anything is done', async () => {
  const before = asked;
  const socket = await openWith(`${PAGE}Host: y\r\n\r\n`);
  expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 400 /);
  expect(asked).toBe(before);
  socket.destroy();
});
