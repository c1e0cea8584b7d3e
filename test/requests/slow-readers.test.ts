import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { sendBodies, type BodyState } from '../../adapters/connections/send-bodies.ts';
import type { ReadingTimes } from '../../adapters/connections/send-pieces.ts';
import { UnreadBytes } from '../../adapters/connections/unread-bytes.ts';
import { startServer, type RunningServer } from '../../api/server.ts';
import { until } from '../support/until.ts';

/** More than sockets of both ends hold. */
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');
const NEVER_MS = 600_000;
const SOON_MS = 200;

let unread: UnreadBytes;
let server: RunningServer | null = null;
let ended = Promise.withResolvers<void>();

afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = null;
});

type Answering = (ctx: Koa.ParameterizedContext<BodyState>) => void;

/** Serves every request with this body, as API and dashboard do. */
async function serve(times: ReadingTimes, answer: Answering): Promise<void> {
  unread = new UnreadBytes();
  ended = Promise.withResolvers();
  const app = new Koa<BodyState>();
  app.use(async (_ctx, next) => {
    await next();
    ended.resolve();
  });
  app.use(sendBodies(unread, times));
  app.use((ctx) => answer(ctx));
  app.on('error', () => undefined);
  server = await startServer(app, { host: '127.0.0.1', port: 0 });
}

/** Sends requests and reads nothing. */
async function ask(times = 1, sent = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'): Promise<Socket> {
  const { hostname, port } = new URL(server?.url ?? '');
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(sent.repeat(times));
  return socket;
}

/** Also by a reset. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Reads a little, waits a moment, and so on; resolves with the number of bytes when the connection has ended. */
async function readSlowly(socket: Socket, littleBytes: number): Promise<number> {
  let total = 0;
  const isEnded = closed(socket).then(() => true);
  const moment = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 5));
  while (!(await Promise.race([isEnded, moment()]))) {
    total += (socket.read(littleBytes) as Buffer | null)?.length ?? 0;
  }
  return total;
}

const whole: Answering = (ctx) => {
  ctx.state.clinicId = 'clinic';
  ctx.body = LARGE;
};

async function* inPieces(): AsyncGenerator<Buffer> {
  for (let at = 0; at < LARGE.length; at += 65_536) yield LARGE.subarray(at, at + 65_536);
}

const streamed: Answering = (ctx) => {
  ctx.state.isLong = true;
  ctx.body = inPieces();
};

test('a client that reads nothing is hung up on, and what it did not read counts no longer', async () => {
  await serve({ silentMs: SOON_MS, totalMs: NEVER_MS }, whole);
  const socket = await ask();
  await until('the answer to wait', () => unread.total === LARGE.length);
  await ended.promise;
  expect(unread.total).toBe(0);
  socket.resume();
  await closed(socket);
});

test('so is one that sends without end and reads nothing', async () => {
  await serve({ silentMs: SOON_MS, totalMs: NEVER_MS }, streamed);
  const socket = await ask();
  const chatter = setInterval(() => socket.write('X'), SOON_MS / 10);
  await ended.promise;
  clearInterval(chatter);
  socket.destroy();
});

test('one that always reads a little has its time for a whole answer, and not for one that may take long', async () => {
  await serve({ silentMs: NEVER_MS, totalMs: SOON_MS }, whole);
  expect(await readSlowly(await ask(), 1000)).toBeLessThan(LARGE.length);
});

test('a recording goes on as long as its reader gets on', async () => {
  await serve({ silentMs: NEVER_MS, totalMs: 1 }, streamed);
  const closing = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  expect(await readSlowly(await ask(1, closing), 4_000_000)).toBeGreaterThan(LARGE.length);
});

test('answers to pipelined requests all count, and go with their connection', async () => {
  await serve({ silentMs: NEVER_MS, totalMs: NEVER_MS }, whole);
  const socket = await ask(3);
  await until('three answers to wait', () => unread.total === 3 * LARGE.length);
  expect(() => unread.requireRoom('clinic')).toThrow('not been read');
  expect(() => unread.requireRoom('another')).not.toThrow();
  socket.destroy();
  await until('nothing to wait', () => unread.total === 0);
});

test('a body that all answers share does not count', async () => {
  await serve({ silentMs: NEVER_MS, totalMs: NEVER_MS }, (ctx) => {
    ctx.state.isShared = true;
    ctx.body = LARGE;
  });
  const socket = await ask();
  await once(socket, 'readable');
  expect(unread.total).toBe(0);
  socket.destroy();
});

test('a sender who left in the middle of a body is not waited for', async () => {
  await serve({ silentMs: NEVER_MS, totalMs: NEVER_MS }, whole);
  const socket = await ask(1, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc');
  socket.destroy();
  await ended.promise;
  expect(unread.total).toBe(0);
});
