import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { suiteApi } from '../support/servers/api-server.ts';

/** More than the sockets hold by themselves, and less than is read after a refusal. */
const UNREAD_BYTES = 900_000;

const api = await suiteApi();
const key = await api.keyOf();
const patch = `PATCH /v1/tenants/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\n`;

function open(): Socket {
  const { hostname, port } = new URL(api.url);
  return connect({ host: hostname, port: Number(port) });
}

/** Sends bytes as they are and reads until the server hangs up. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = open();
  socket.write(bytes);
  return readText(socket);
}

function statusesIn(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

function messageIn(answer: string): unknown {
  const body = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n'))) as Record<string, unknown>;
  expect([body['error'], answer.includes(`X-Request-Id: ${String(body['requestId'])}`)]).toEqual([
    'malformed_request',
    true,
  ]);
  return body['message'];
}

const unreadable = 'This is not a valid HTTP request.';
const tooLarge = 'The address and headers of the request are larger than 16 KiB.';
const oneHost = 'Send exactly one Host header.';
const health = 'GET /health HTTP/1.1\r\nHost: x\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';

describe('what cannot be read as HTTP is answered 400 with the error body, and the connection ends', () => {
  test.each([
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01', unreadable],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', unreadable],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', oneHost],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', oneHost],
    ['two hosts in HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', oneHost],
    ['an unheard-of method', 'FETCH /health HTTP/1.1\r\nHost: x\r\n\r\n', unreadable],
    ['headers without end', `${health}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`, tooLarge],
    ['an address without end', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, tooLarge],
    ['NUL in a header', `${health}X-Nul: a\0b\r\n\r\n`, unreadable],
    ['a folded header', `${health}X-Folded: a\r\n b\r\n\r\n`, unreadable],
    ['two lengths', `${health}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, unreadable],
    ['a length below zero', `${health}Content-Length: -2\r\n\r\n{}`, unreadable],
    [
      'both length and chunks',
      `${health}${chunked}Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      unreadable,
    ],
    ['an encoding no one knows', `${health}Transfer-Encoding: gzip\r\n\r\n{}`, unreadable],
  ])('%s', async (_what, bytes, message) => {
    const answer = await sendRaw(bytes);
    expect([statusesIn(answer), messageIn(answer)]).toEqual([[400], message]);
  });

  test('a body whose chunks have no size', async () => {
    const answer = await sendRaw(`${patch}${chunked}\r\n2\r\n{}\r\nzz\r\n`);
    expect([statusesIn(answer), messageIn(answer)]).toEqual([[400], unreadable]);
  });
});

describe('what HTTP allows is served', () => {
  const last = 'Connection: close\r\n';

  test('requests sent without waiting for answers, in their order', async () => {
    const answer = await sendRaw(`${patch}Content-Length: 2\r\n\r\n{}${health}${last}\r\n`);
    expect(statusesIn(answer)).toEqual([200, 200]);
    expect(answer.indexOf('"identityOrgId"')).toBeLessThan(answer.indexOf('"timestamp"'));
  });

  test('chunks with extensions and trailers', async () => {
    const answer = await sendRaw(`${patch}${chunked}${last}\r\n2;a=b\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n`);
    expect(statusesIn(answer)).toEqual([200]);
  });

  test('a sender who asks before sending the body', async () => {
    const socket = open();
    socket.write(`${patch}${last}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.write('{}');
    expect(statusesIn(first.toString() + (await readText(socket)))).toEqual([100, 200]);
  });

  test('an expectation no one knows is ignored', async () => {
    const answer = await sendRaw(`${patch}${last}Content-Length: 2\r\nExpect: a-miracle\r\n\r\n{}`);
    expect(statusesIn(answer)).toEqual([200]);
  });

  test('HTTP/1.0 needs no host', async () => {
    expect(statusesIn(await sendRaw('GET /health HTTP/1.0\r\n\r\n'))).toEqual([200]);
  });
});

describe('a body that is not read', () => {
  test('is refused as too large as soon as it says so', async () => {
    const socket = open();
    socket.write(`${patch}Content-Length: 999999999999\r\n\r\n{`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(statusesIn(first.toString())).toEqual([413]);
    socket.destroy();
  });

  test.each([
    ['too large', () => patch, 413],
    ['without a key', () => patch.replace(/Authorization: .*\r\n/, ''), 401],
    ['at no address', () => patch.replace('/v1/', '/v2/'), 404],
  ])('%s: the answer reaches a sender who reads it only when all is sent', async (_why, head, status) => {
    const socket = open();
    socket.pause();
    socket.write(`${head()}Connection: close\r\nContent-Length: ${UNREAD_BYTES}\r\n\r\n`);
    await new Promise((sent, broken) => {
      socket.once('error', broken);
      socket.write('x'.repeat(UNREAD_BYTES), sent);
    });
    const [first] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(statusesIn(first.toString())).toEqual([status]);
    socket.destroy();
  });
});
