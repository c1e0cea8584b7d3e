import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  createWebhookClient,
  type AttemptOutcome,
  type WebhookClientOptions,
} from '../../../adapters/webhooks/webhook-client.ts';
import { createWebhookUrlCheck } from '../../../adapters/webhooks/webhook-url.ts';
import { forSuite } from '../../support/for-suite.ts';
import { startBusyHost, type BusyHost } from '../../support/servers/busy-host.ts';
import {
  createTestAuthority,
  authorityAsServer,
  selfSignedIdentity,
  type ServerIdentity,
} from '../../support/servers/certificates.ts';
import {
  answerWith,
  closeWithoutAnswer,
  neverAnswer,
  startReceiver,
  type Behaviour,
  type Receiver,
  type ReceiverOptions,
} from '../../support/servers/receiver.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const opened: { close(): Promise<void> }[] = [];

const authority = await createTestAuthority();

/** Asked first, because it takes ten seconds. */
const silence = await askSilentReceiver();

async function askSilentReceiver(): Promise<{ outcome: Promise<AttemptOutcome> }> {
  const receiver = await forSuite(startReceiver(await authority.issue()));
  const client = await forSuite(createWebhookClient({ allowedCidrs: LOOPBACK, extraCaPem: authority.caPem }));
  receiver.script(neverAnswer());
  return { outcome: client.post({ url: receiver.url(), headers: {}, body: '{}' }) };
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function aReceiver(identity: ServerIdentity, options?: ReceiverOptions): Promise<Receiver> {
  const receiver = await startReceiver(identity, options);
  opened.push(receiver);
  return receiver;
}

async function aBusyHost(options: Parameters<typeof startBusyHost>[0]): Promise<BusyHost> {
  const host = await startBusyHost(options);
  opened.push(host);
  return host;
}

function aClient(options: Partial<WebhookClientOptions> = {}) {
  const client = createWebhookClient({ allowedCidrs: LOOPBACK, extraCaPem: authority.caPem, ...options });
  opened.push(client);
  return client;
}

function postTo(url: string, options: Partial<WebhookClientOptions> = {}): Promise<AttemptOutcome> {
  return aClient(options).post({ url, headers: {}, body: '{}' });
}

async function aTcpServer(onConnection: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  });
  return { port: (server.address() as AddressInfo).port, server };
}

/** Carries the handshake to the receiver and back, then answers the client's second flight with a record that no one encrypted. */
function breakAfterHandshake(socket: Socket, receiverPort: number): void {
  const receiver = connect(receiverPort, '127.0.0.1').on('error', () => socket.destroy());
  receiver.pipe(socket);
  socket.once('data', (hello: Buffer) => {
    receiver.write(hello);
    socket.once('data', () => {
      receiver.destroy();
      socket.write(Buffer.from([23, 3, 3, 0, 32, ...Buffer.alloc(32)]));
    });
  });
}

/** What a client that takes any version gets. */
async function versionSpokenBy(receiver: Receiver): Promise<string | null> {
  const lax = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0', ca: authority.caPem } as const;
  const socket = connectTls({ port: receiver.port, host: 'localhost', ...lax });
  await once(socket, 'secureConnect');
  const version = socket.getProtocol();
  socket.destroy();
  return version;
}

describe('certificates', () => {
  test('of the operator’s own authority are trusted beside the public ones', async () => {
    const receiver = await aReceiver(await authority.issue());
    expect(await postTo(receiver.url())).toMatchObject({ outcome: 'succeeded' });
  });

  test.each([
    ['self_signed', () => selfSignedIdentity()],
    ['wrong_purpose', () => authorityAsServer()],
    ['certificate_expired', () => authority.issue({ expired: true })],
    ['wrong_host', () => authority.issue({ names: ['other.example'] })],
    ['unknown_issuer', async () => (await createTestAuthority()).issue()],
    ['weak_key', () => authority.issue({ weak: true })],
  ])('%s: tls_error, and nothing is sent', async (tlsFault, identity) => {
    const receiver = await aReceiver(await identity(), { tls: { ciphers: 'DEFAULT@SECLEVEL=0' } });
    expect(await postTo(receiver.url())).toMatchObject({
      outcome: 'failed',
      errorClass: 'tls_error',
      tlsFault,
    });
    expect(receiver.requests).toHaveLength(0);
  });

  test('are verified again when the receiver changes to one that is not valid', async () => {
    const receiver = await aReceiver(await authority.issue());
    const client = aClient();
    receiver.script(answerWith(200, '', { Connection: 'close' }));
    const attempt = () => client.post({ url: receiver.url(), headers: {}, body: '{}' });
    expect((await attempt()).outcome).toBe('succeeded');
    receiver.present(await authority.issue({ expired: true }));
    expect(await attempt()).toMatchObject({ outcome: 'failed', errorClass: 'tls_error' });
  });

  test('are verified even where the environment says otherwise', async () => {
    const receiver = await aReceiver(await selfSignedIdentity());
    const module = fileURLToPath(new URL('../../../adapters/webhooks/webhook-client.ts', import.meta.url));
    const script = `
      const { createWebhookClient } = await import(${JSON.stringify(module)});
      const client = createWebhookClient({ allowedCidrs: ['127.0.0.0/8', '::1/128'] });
      const outcome = await client.post({ url: ${JSON.stringify(receiver.url())}, headers: {}, body: '{}' });
      process.stdout.write(String(outcome.errorClass));
      await client.close();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    });
    expect(stdout).toBe('tls_error');
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('TLS', () => {
  test.each([
    ['TLSv1.1', 'failed', 'tls_error', 'old_version'],
    ['TLSv1.2', 'succeeded', null, null],
    ['TLSv1.3', 'succeeded', null, null],
  ] as const)('a receiver that speaks only %s: %s', async (version, outcome, errorClass, tlsFault) => {
    const tls = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
    const receiver = await aReceiver(await authority.issue(), { tls });
    expect(await versionSpokenBy(receiver)).toBe(version);
    expect(await postTo(receiver.url())).toMatchObject({ outcome, errorClass, tlsFault });
  });

  test('a receiver whose only ciphers are weak: tls_error, for no common cipher', async () => {
    const tls = { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA:@SECLEVEL=0' } as const;
    const receiver = await aReceiver(await authority.issue(), { tls });
    expect(await postTo(receiver.url())).toMatchObject({
      errorClass: 'tls_error',
      tlsFault: 'no_common_cipher',
    });
  });

  test('a connection whose encryption breaks after the handshake: tls_error', async () => {
    const receiver = await aReceiver(await authority.issue());
    const { port } = await aTcpServer((socket) => breakAfterHandshake(socket, receiver.port));
    expect(await postTo(`https://localhost:${port}/`)).toMatchObject({ errorClass: 'tls_error' });
    expect(receiver.requests).toHaveLength(0);
  });

  test('a receiver that speaks plain HTTP: tls_error', async () => {
    const { port } = await aTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await postTo(`https://localhost:${port}/`)).toMatchObject({
      errorClass: 'tls_error',
      tlsFault: 'not_tls',
    });
  });

  test('a receiver that hangs up during the handshake: tls_error', async () => {
    const { port } = await aTcpServer((socket) => void socket.once('data', () => socket.destroy()));
    expect(await postTo(`https://localhost:${port}/`)).toMatchObject({ errorClass: 'tls_error' });
  });

  test('a receiver that never finishes the handshake: connect_timeout', async () => {
    const { port } = await aTcpServer((socket) => void socket.resume());
    const outcome = await postTo(`https://localhost:${port}/`, { deadlineMs: 500 });
    expect(outcome).toMatchObject({ outcome: 'failed', errorClass: 'connect_timeout', responseStatus: null });
  });
});

describe('finding the receiver', () => {
  test('no one listens: connect_error', async () => {
    const receiver = await startReceiver(await authority.issue());
    await receiver.close();
    expect(await postTo(receiver.url())).toMatchObject({ outcome: 'failed', errorClass: 'connect_error' });
  });

  test.each([
    ['does not exist', () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))],
    ['has no address', () => Promise.resolve([])],
    ['has a server that never answers', () => new Promise<string[]>(() => undefined)],
  ])('the name %s: dns_error', async (_kind, resolve) => {
    const outcome = await postTo('https://receiver.example/', { resolve, deadlineMs: 500 });
    expect(outcome).toMatchObject({ outcome: 'failed', errorClass: 'dns_error' });
  });

  test('the next address of the name is tried when the first does not answer', async () => {
    const receiver = await aReceiver(await authority.issue({ names: ['receiver.example'] }));
    const resolve = () => Promise.resolve(['127.0.0.9', '127.0.0.1']);
    expect(await postTo(receiver.url('/', 'receiver.example'), { resolve })).toMatchObject({
      outcome: 'succeeded',
    });
  });

  test.each([
    ['refuses', () => undefined],
    ['takes no connection either', (port: number) => aBusyHost({ host: '127.0.0.9', port, receiverPort: 9 })],
  ])(
    'an address that takes no connection for seconds has its share of the deadline when the other one %s',
    async (_kind, startOther) => {
      const receiver = await aReceiver(await authority.issue({ names: ['receiver.example'] }));
      const host = await aBusyHost({ host: '127.0.0.1', receiverPort: receiver.port });
      await startOther(host.port);
      const resolve = () => Promise.resolve(['127.0.0.1', '127.0.0.9']);
      setTimeout(host.recover, 2_500);
      const outcome = await postTo(`https://receiver.example:${host.port}/`, { resolve });
      expect(outcome).toMatchObject({ outcome: 'succeeded' });
      expect(outcome.durationMs).toBeGreaterThan(2_400);
    },
  );

  test('the root’s dot after the name changes nothing', async () => {
    const receiver = await aReceiver(await authority.issue());
    expect(await postTo(receiver.url('/', 'localhost.'))).toMatchObject({ outcome: 'succeeded' });
  });

  test('an address in the operator’s ranges may stand in the URL, if the certificate names it', async () => {
    const receiver = await aReceiver(await authority.issue({ addresses: ['127.0.0.1'] }));
    const unnamed = await aReceiver(await authority.issue());
    expect(await postTo(receiver.url('/', '127.0.0.1'))).toMatchObject({ outcome: 'succeeded' });
    expect(await postTo(unnamed.url('/', '127.0.0.1'))).toMatchObject({ errorClass: 'tls_error' });
  });
});

describe('the walls around inside addresses', () => {
  test('a name that leads inside is refused before anything is connected', async () => {
    const receiver = await aReceiver(await authority.issue());
    const outcome = await postTo(receiver.url(), { allowedCidrs: [] });
    expect(outcome).toMatchObject({
      errorClass: 'blocked_address',
      responseStatus: null,
      responseExcerpt: null,
    });
  });

  test('a name that changes its address between the check and the connection is refused', async () => {
    let connections = 0;
    const { port } = await aTcpServer(() => (connections += 1));
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const resolve = () => Promise.resolve(answers.shift() ?? []);
    const url = `https://rebinding.example:${port}/`;
    expect((await createWebhookUrlCheck({ allowedCidrs: [], resolve })(url)).ok).toBe(true);
    expect(await postTo(url, { allowedCidrs: [], resolve })).toMatchObject({ errorClass: 'blocked_address' });
    expect(connections).toBe(0);
  });

  test('the connected peer is what counts: an allowed address that leads elsewhere gets no byte', async () => {
    const heard: Buffer[] = [];
    const ended = Promise.withResolvers<void>();
    const { port } = await aTcpServer((socket) => {
      socket.on('data', (bytes: Buffer) => heard.push(bytes)).once('close', () => ended.resolve());
    });
    // The kernel connects 0.0.0.0 to loopback, which is not in the operator's range.
    const resolve = () => Promise.resolve(['0.0.0.0']);
    const outcome = await postTo(`https://a.example:${port}/`, { allowedCidrs: ['0.0.0.0/32'], resolve });
    await ended.promise;
    expect(outcome).toMatchObject({ errorClass: 'blocked_address' });
    expect(Buffer.concat(heard)).toHaveLength(0);
  });

  test('a name on a connection that is kept alive is not asked for a second time', async () => {
    const receiver = await aReceiver(await authority.issue({ names: ['receiver.example'] }));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const client = aClient({ resolve: () => Promise.resolve(answers.shift() ?? []) });
    const url = receiver.url('/', 'receiver.example');
    for (const _attempt of [1, 2]) {
      expect((await client.post({ url, headers: {}, body: '{}' })).outcome).toBe('succeeded');
    }
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1]);
    expect(answers).toEqual([['10.0.0.1']]);
  });

  const partOfAStatusLine: Behaviour = (response) => {
    const { socket } = response;
    socket?.write('HTTP/1.1 2', () => socket.destroy());
  };
  test.each([
    ['sends once more on a new one', closeWithoutAnswer(), 'succeeded', [1, 1, 2]],
    ['but not after a byte of the answer', partOfAStatusLine, 'failed', [1, 1]],
  ])(
    'a kept connection that the receiver closes in the middle of a request: %s',
    async (_what, behaviour, outcome, connections) => {
      const receiver = await aReceiver(await authority.issue({ names: ['localhost'] }));
      const client = aClient();
      const post = () => client.post({ url: receiver.url(), headers: {}, body: '{}' });
      expect((await post()).outcome).toBe('succeeded');
      receiver.script(behaviour);
      const second = await post();
      expect([second.outcome, second.errorClass]).toEqual([
        outcome,
        outcome === 'failed' ? 'connection_lost' : null,
      ]);
      expect(receiver.requests.map(({ connection }) => connection)).toEqual(connections);
    },
  );

  test('a request that may begin no longer is not sent once more', async () => {
    const receiver = await aReceiver(await authority.issue({ names: ['localhost'] }));
    const client = aClient();
    const request = { url: receiver.url(), headers: {}, body: '{}' };
    await client.post(request);
    receiver.script(closeWithoutAnswer());
    let asked = 0;
    const mayBegin = () => (asked += 1) === 1;
    expect(await client.post({ ...request, mayBegin })).toMatchObject({ errorClass: 'connection_lost' });
    expect(receiver.requests).toHaveLength(2);
  });

  test.each(['http://localhost/', 'https://user:secret@localhost/', 'https://localhost/#part', 'nonsense'])(
    'a URL that could not have been saved is not sent to either: %s',
    async (url) => expect(await postTo(url)).toMatchObject({ errorClass: 'blocked_address' }),
  );
});

test('an attempt has ten seconds by default', async () => {
  const outcome = await silence.outcome;
  expect(outcome).toMatchObject({ errorClass: 'deadline_exceeded' });
  expect(outcome.durationMs).toBeGreaterThanOrEqual(9_999);
});
