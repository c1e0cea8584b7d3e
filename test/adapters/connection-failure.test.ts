import { once } from 'node:events';
import { connect as connectSocket, createServer as createSocketServer, type AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client } from 'pg';
import { connectionFailure, describeError } from '../../adapters/logs/describe-error.ts';
import { testEnvironment } from '../support/environment/test-environment.ts';
import { createTestAuthority, type ServerIdentity } from '../support/servers/certificates.ts';
import { aLog } from '../support/test-logger.ts';

async function whyNot(attempt: () => Promise<unknown>): Promise<unknown> {
  return attempt().then(
    () => new Error('it came about'),
    (error: unknown) => error,
  );
}

async function aFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function refusedTls(identity: ServerIdentity, ca?: string): Promise<unknown> {
  const server = createServer(identity).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  const error = await whyNot(() => once(socket, 'secureConnect'));
  socket.destroy();
  server.close();
  await once(server, 'close');
  return error;
}

async function refusedByPostgres(change: (url: URL) => void): Promise<unknown> {
  const url = new URL(testEnvironment('TEST_TEMPLATE_URL'));
  change(url);
  const client = new Client({ connectionString: url.href });
  const error = await whyNot(() => client.connect());
  await client.end();
  return error;
}

describe('a connection that fails says why, in one line without a stack', () => {
  let port: number;
  beforeAll(async () => {
    port = await aFreePort();
  });

  test.each<[string, () => Promise<unknown>, () => RegExp]>([
    [
      'no one listens',
      () => whyNot(() => once(connectSocket(port, '127.0.0.1'), 'connect')),
      () => new RegExp(`^connect ECONNREFUSED 127\\.0\\.0\\.1:${port}$`),
    ],
    [
      'no one listens at any address of a host',
      () => whyNot(() => fetch(`http://localhost:${port}/`)),
      () => new RegExp(`ECONNREFUSED .*:${port}`),
    ],
    [
      'there is no such host',
      () => whyNot(() => once(connectSocket(port, 'nowhere.invalid'), 'connect')),
      () => /^getaddrinfo (ENOTFOUND|EAI_AGAIN) nowhere\.invalid$/,
    ],
    [
      'no one vouches for the certificate',
      async () => refusedTls(await (await createTestAuthority()).issue()),
      () => /^TLS: unable to verify the first certificate/,
    ],
    [
      'the certificate is for another host',
      async () => {
        const authority = await createTestAuthority();
        return refusedTls(await authority.issue({ names: ['other.example'] }), authority.caPem);
      },
      () => /^TLS: .*other\.example/,
    ],
    [
      'the certificate has expired',
      async () => {
        const authority = await createTestAuthority();
        return refusedTls(await authority.issue({ expired: true }), authority.caPem);
      },
      () => /^TLS: certificate has expired$/,
    ],
    [
      'the password is wrong',
      () => refusedByPostgres((url) => (url.password = 'secret-in-the-url')),
      () => /^password authentication failed for user "\w+"$/,
    ],
    [
      'there is no such database',
      () => refusedByPostgres((url) => (url.pathname = '/nowhere')),
      () => /^database "nowhere" does not exist$/,
    ],
  ])('%s', async (_, fail, words) => {
    const wrapped = new Error('query failed: select patient_name', { cause: await fail() });
    expect(connectionFailure(wrapped)).toMatch(words());
    expect(describeError(wrapped)).not.toHaveProperty('frames');
    expect(JSON.stringify(describeError(wrapped))).not.toMatch(/secret-in-the-url|patient_name/);
  });
});

test('any other error keeps its place in the code, and its words to itself', () => {
  const error = Object.assign(new Error('null value in column "patient_name"'), { code: '23502' });
  expect(connectionFailure(error)).toBeNull();
  expect(describeError(error)).toEqual({ type: 'Error', code: '23502', frames: expect.any(Array) });
});

describe('a log', () => {
  const refused = () =>
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  let clock: { mockRestore(): void };
  let nowMs = 0;
  beforeAll(() => {
    clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterAll(() => clock.mockRestore());

  test('tells once a minute of a connection that goes on failing, and how often it did', () => {
    const { logger, lines } = aLog();
    for (let second = 0; second < 120; second += 1) {
      nowMs = second * 1000;
      logger.warn({ err: refused(), waiting: second }, 'outbox.claim_failed');
    }
    expect(lines).toEqual([
      expect.objectContaining({ event: 'outbox.claim_failed', waiting: 0 }),
      expect.objectContaining({ event: 'outbox.claim_failed', waiting: 60, repeated: 59 }),
    ]);
  });

  test('leaves out nothing that names a request, and no other failure', () => {
    const { logger, lines } = aLog();
    for (const requestId of ['one', 'two']) logger.error({ err: refused(), requestId }, 'request.failed');
    for (let times = 0; times < 2; times += 1) logger.warn({ err: new TypeError('no') }, 'something.failed');
    logger.warn({ err: refused() }, 'outbox.listener_lost');
    logger.warn({ err: refused() }, 'outbox.claim_failed');
    expect(lines).toHaveLength(6);
  });
});
