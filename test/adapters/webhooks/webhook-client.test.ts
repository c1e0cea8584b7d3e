import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createWebhookClient } from '../../../adapters/webhooks/webhook-client.ts';
import { createTestAuthority } from '../../support/servers/certificates.ts';
import {
  answerWith,
  closeMidBody,
  closeWithoutAnswer,
  drip,
  flood,
  hangAfterHeaders,
  neverAnswer,
  startReceiver,
  startTlsServer,
} from '../../support/servers/receiver.ts';
import { forSuite } from '../../support/for-suite.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const SHORT_DEADLINE_MS = 1_500;
const EXCERPT_BYTES = 16_384;

const opened: { close(): Promise<void> }[] = [];

const authority = await createTestAuthority();
const identity = await authority.issue();
const receiver = await forSuite(startReceiver(identity));
const client = createWebhookClient({ allowedCidrs: LOOPBACK, extraCaPem: authority.caPem });
const hurried = createWebhookClient({
  allowedCidrs: LOOPBACK,
  extraCaPem: authority.caPem,
  deadlineMs: SHORT_DEADLINE_MS,
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

afterAll(() => Promise.all([client.close(), hurried.close()]));

function post(sender = client, url = receiver.url()) {
  return sender.post({ url, headers: { 'Content-Type': 'application/json' }, body: '{"id":"evt_1"}' });
}

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A receiver that answers every connection with these bytes, whatever it is asked. */
async function receiverThatSays(...pieces: (string | Buffer)[]): Promise<string> {
  const server = await startTlsServer(identity, (socket) => {
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
    });
  });
  opened.push(server);
  return server.url;
}

describe('what is sent', () => {
  test('the body arrives byte for byte, with the headers given and no compression asked for', async () => {
    const body = '{"name":"Żółć 🦷","slash":"\\/","n":1.0}';
    const before = receiver.requests.length;
    await client.post({ url: receiver.url('/hook?a=b%20c'), headers: { 'X-Service-Attempt': '1' }, body });
    const sent = (await receiver.received(before + 1))[before];
    expect(sent).toMatchObject({ method: 'POST', path: '/hook?a=b%20c', body });
    expect(sent?.headers).toMatchObject({
      'x-service-attempt': '1',
      'content-length': String(Buffer.byteLength(body)),
      host: `localhost:${receiver.port}`,
    });
    expect(sent?.headers).not.toHaveProperty('accept-encoding');
  });

  test('one connection serves the next attempt too', async () => {
    const before = receiver.requests.length;
    await post();
    await post();
    const [first, second] = (await receiver.received(before + 2)).slice(before);
    expect(second?.connection).toBe(first?.connection);
  });

  test('faults of this process are thrown, not counted against the receiver', async () => {
    const closed = createWebhookClient({ allowedCidrs: LOOPBACK });
    await closed.close();
    await expect(post(closed)).rejects.toThrow();
    await expect(
      client.post({ url: receiver.url(), headers: { 'X-A': 'a\nb' }, body: '' }),
    ).rejects.toThrow();
  });
});

describe('the status decides', () => {
  test.each([
    [200, 'succeeded', null],
    [204, 'succeeded', null],
    [299, 'succeeded', null],
    [304, 'failed', 'redirect'],
    [400, 'failed', 'http_4xx'],
    [410, 'failed', 'http_4xx'],
    [429, 'failed', 'http_4xx'],
    [500, 'failed', 'http_5xx'],
    [503, 'failed', 'http_5xx'],
    [600, 'failed', 'invalid_response'],
    [999, 'failed', 'invalid_response'],
  ])('%i %s', async (status, outcome, errorClass) => {
    receiver.script(answerWith(status));
    expect(await post()).toEqual({
      outcome,
      errorClass,
      responseStatus: status,
      responseExcerpt: '',
      tlsFault: null,
      durationMs: expect.any(Number),
    });
  });

  test.each([301, 302, 303, 307, 308])(
    'a %i to an inside address is a failure and is not followed',
    async (status) => {
      const inside = await startReceiver(identity);
      opened.push(inside);
      receiver.script(answerWith(status, 'moved', { Location: inside.url('/secret') }));
      const outcome = await post();
      expect(outcome).toMatchObject({ outcome: 'failed', errorClass: 'redirect', responseExcerpt: 'moved' });
      expect(inside.requests).toHaveLength(0);
    },
  );

  test.each([
    [200, 'succeeded', null],
    [500, 'failed', 'http_5xx'],
    [404, 'failed', 'http_4xx'],
  ])('a %i whose body breaks off is still %s', async (status, outcome, errorClass) => {
    receiver.script(closeMidBody(status));
    const broken = await post();
    expect(broken).toMatchObject({
      outcome,
      errorClass,
      responseStatus: status,
      responseExcerpt: 'the beginning',
    });
  });

  test('an informational answer before the real one is passed over', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const url = await receiverThatSays(hint, hint, 'HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok');
    expect(await post(client, url)).toMatchObject({
      outcome: 'succeeded',
      responseStatus: 202,
      responseExcerpt: 'ok',
    });
  });
});

describe('a receiver that takes its time', () => {
  test('never answers: deadline_exceeded', async () => {
    receiver.script(neverAnswer());
    const outcome = await post(hurried);
    expect(outcome).toMatchObject({
      outcome: 'failed',
      errorClass: 'deadline_exceeded',
      responseStatus: null,
    });
    expect(outcome.responseExcerpt).toBeNull();
    expect(outcome.durationMs).toBeGreaterThanOrEqual(SHORT_DEADLINE_MS - 1);
  });

  test('answers, and this process stands still until after the deadline: the answer counts', async () => {
    receiver.script((response) => {
      response.end();
      setImmediate(() => standStill(3 * SHORT_DEADLINE_MS));
    });
    expect(await post(hurried)).toMatchObject({ outcome: 'succeeded', errorClass: null });
  });

  test('drips its headers: deadline_exceeded, however busy it looks', async () => {
    const server = await startTlsServer(identity, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('a'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    opened.push(server);
    expect(await post(hurried, server.url)).toMatchObject({
      errorClass: 'deadline_exceeded',
      responseStatus: null,
    });
  });

  test.each([
    [200, 'succeeded', null],
    [503, 'failed', 'http_5xx'],
  ])('hangs after the headers of a %i: %s at the deadline', async (status, outcome, errorClass) => {
    receiver.script(hangAfterHeaders(status));
    const result = await post(hurried);
    expect(result).toMatchObject({ outcome, errorClass, responseStatus: status, responseExcerpt: '' });
  });

  test('drips its body: succeeded with what had come by the deadline', async () => {
    receiver.script(drip(200, 100));
    const result = await post(hurried);
    expect(result).toMatchObject({
      outcome: 'succeeded',
      responseExcerpt: expect.stringMatching(/^\.{1,16}$/),
    });
  });
});

describe('a receiver that breaks off', () => {
  test('closes without an answer: connection_lost', async () => {
    receiver.script(closeWithoutAnswer());
    expect(await post()).toMatchObject({ errorClass: 'connection_lost', responseStatus: null });
  });

  test('closes in the middle of its headers: connection_lost', async () => {
    const server = await startTlsServer(identity, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Le'));
    });
    opened.push(server);
    expect(await post(client, server.url)).toMatchObject({
      errorClass: 'connection_lost',
      responseStatus: null,
    });
  });
});

describe('a receiver that does not speak HTTP', () => {
  test.each([
    ['a mail server’s greeting', ['220 mail.example ESMTP\r\n']],
    ['an HTTP/2 frame', [Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])]],
    [
      'a protocol no one asked to switch to',
      ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ],
    ['a continuation no one asked for', ['HTTP/1.1 100 Continue\r\n\r\n']],
    ['two lengths', ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab']],
    [
      '199-byte header lines by the thousand',
      ['HTTP/1.1 200 OK\r\n', `X-Filler: ${'x'.repeat(187)}\r\n`.repeat(5_000), '\r\n'],
    ],
    ['one endless header', ['HTTP/1.1 200 OK\r\nX-Filler: ', 'x'.repeat(1_000_000)]],
  ])('%s: invalid_response', async (_kind, pieces) => {
    const url = await receiverThatSays(...pieces);
    expect(await post(client, url)).toMatchObject({ errorClass: 'invalid_response', responseStatus: null });
  });

  test('speaks before it is asked: invalid_response', async () => {
    const server = await startTlsServer(identity, (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'));
    opened.push(server);
    expect(await post(client, server.url)).toMatchObject({
      errorClass: 'invalid_response',
      responseStatus: null,
    });
  });

  test('a chunk that is none comes after the status, so the status counts', async () => {
    const url = await receiverThatSays('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a chunk');
    expect(await post(client, url)).toMatchObject({ outcome: 'succeeded', responseExcerpt: '' });
  });
});

describe('the excerpt of the answer', () => {
  test('stops at 16 KiB: of 100 MB only a beginning is ever sent', async () => {
    const ended = Promise.withResolvers<number>();
    receiver.script((response, request) => {
      void bytesSentUntilClosed(response).then(ended.resolve);
      flood(200, 100)(response, request);
    });
    const outcome = await post();
    expect(outcome).toMatchObject({ outcome: 'succeeded', responseExcerpt: 'x'.repeat(EXCERPT_BYTES) });
    expect(await ended.promise).toBeLessThan(25_000_000);
  });

  test('does not inflate: a gzip bomb stays as small as it was sent', async () => {
    const bomb = await promisify(gzip)(Buffer.alloc(50_000_000));
    receiver.script((response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb));
    const { outcome, responseExcerpt } = await post();
    expect(outcome).toBe('succeeded');
    expect(responseExcerpt?.slice(0, 3)).toBe('\u{1F}\u{FFFD}\b');
    expect(Buffer.byteLength(responseExcerpt ?? '')).toBeLessThanOrEqual(EXCERPT_BYTES);
  });

  test('counts bytes and cuts no character in two', async () => {
    receiver.script(answerWith(200, `a${'🦷'.repeat(5_000)}`));
    const { responseExcerpt } = await post();
    expect(responseExcerpt).toBe(`a${'🦷'.repeat(4_095)}`);
  });

  test('is text that PostgreSQL can store', async () => {
    receiver.script((response) => response.end(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x28, 0x62])));
    expect((await post()).responseExcerpt).toBe('a\u{FFFD}\u{FFFD}\u{FFFD}(b');
  });
});

async function bytesSentUntilClosed(response: ServerResponse): Promise<number> {
  const { socket } = response;
  await once(response, 'close');
  return socket?.bytesWritten ?? 0;
}
