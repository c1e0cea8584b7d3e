import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { request } from 'undici';
import { createDocuments } from '../../api/specification/documents.ts';
import { loadAssets } from '../../dashboard/assets.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';

const documents = createDocuments({ publicUrl: 'http://api.test', now: () => new Date() });
const UNPACK = { gzip: gunzipSync, br: brotliDecompressSync, identity: (bytes: Buffer) => bytes };

const api = await suiteApi({ documents });

/** As it travels: nothing is unpacked. */
async function travels(path: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await request(api.url + path, { headers, method });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  return { status: answer.statusCode, headers: answer.headers, bytes };
}

const ADDRESSES = [
  '/openapi.json',
  '/collection.json',
  '/llms.txt',
  '/docs',
  '/docs/webhooks',
  '/docs/webhooks.md',
  '/docs/voice-tools.json',
  `/docs/${/assets\/\w+/.exec(String(documents.find('/docs')?.plain))?.[0]}/search.json`,
];

test.each(ADDRESSES)('%s is made once, plain and compressed', async (path) => {
  const file = documents.find(path);
  expect(file).not.toBeNull();
  expect(documents.find(path)).toBe(file);
  const plain = file?.plain ?? Buffer.alloc(0);
  for (const [encoding, unpack] of Object.entries(UNPACK)) {
    const asked = { 'accept-encoding': encoding };
    const whole = await travels(path, asked);
    expect([whole.status, whole.headers['content-encoding'] ?? 'identity']).toEqual([200, encoding]);
    expect(unpack(whole.bytes).equals(plain)).toBe(true);
    const head = await travels(path, asked, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(whole.bytes.length));
    const etag = String(whole.headers.etag);
    for (const method of ['GET', 'HEAD'] as const) {
      const known = await travels(path, { ...asked, 'if-none-match': etag }, method);
      expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, etag]);
    }
  }
});

test('all of them can be made ahead of the first request', async () => {
  await documents.makeAll();
  for (const { slug } of documents.pages()) {
    const path = slug === '' ? '/docs' : `/docs/${slug}`;
    expect(documents.find(path)).toBe(documents.find(path));
  }
});

test('what pages of the dashboard load is compressed once, too', () => {
  for (const file of loadAssets().files.values()) {
    expect(gunzipSync(file.gzip).equals(file.plain)).toBe(true);
    expect(brotliDecompressSync(file.br).equals(file.plain)).toBe(true);
  }
});

test('an address downloads four at once, and others are served meanwhile', async () => {
  const readers = await Promise.all([1, 2, 3, 4].map(connected));
  const refused = await until('a refusal', async () => {
    // More and more, until no socket holds it, and none of it is read.
    for (const reader of readers) reader.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4));
    const { statusCode, headers, body } = await request(`${api.url}/llms.txt`);
    const text = await body.text();
    return statusCode === 429 && { headers, error: (JSON.parse(text) as { error: string }).error };
  });
  expect([refused.error, refused.headers['retry-after']]).toEqual(['rate_limited', '5']);
  expect(await statusFrom('127.0.0.2', '/llms.txt')).toBe(200);
  expect((await request(`${api.url}/health`)).statusCode).toBe(200);
  for (const reader of readers) reader.destroy();
  await until('the places to be free', async () => (await statusFrom('127.0.0.1', '/llms.txt')) === 200);
});

async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  await once(socket, 'connect');
  return socket;
}

async function statusFrom(localAddress: string, path: string): Promise<number> {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(head.toString('latin1', 9, 12));
}
