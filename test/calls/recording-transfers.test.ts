import { readdir, mkdtempDisposable } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { UnreadBytes } from '../../adapters/connections/unread-bytes.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic } from '../support/clinic.ts';
import { startTestApi, suiteApi, type TestApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';
import { aStartedCall } from './call-builders.ts';
import { audioOf, AUDIO, linkTo, MEGABYTE, open, uploadTo } from './recording-builders.ts';
import { forSuite } from '../support/for-suite.ts';

const UPLOADS = 4;
const DOWNLOADS = 10;
const OF_A_LINK = 4;
const NEVER_MS = 600_000;

const unread = new UnreadBytes();

const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-audio-')));
const storage = await openFileStorage(directory);
const links = createRecordingLinks([Buffer.alloc(32, 9)], 'http://api.test/');
const reading = { silentMs: NEVER_MS, totalMs: NEVER_MS };
const api = await suiteApi({ recordings: { storage, links }, unread, deadlines: { reading } });
const { tenantId } = await aClinic(api.database);
const other = createApiClient(api.url, await api.keyOf({ tenantId }));

/** Begins an upload, and sends no more of it. */
async function pausedUpload(to: Pick<TestApi, 'url' | 'client' | 'keyOf'>): Promise<ClientRequest> {
  const path = `/v1/calls/${await aStartedCall(to.client)}/recording`;
  const headers = { authorization: `Bearer ${await to.keyOf()}`, 'content-type': 'audio/wav' };
  const upload = httpRequest(`${to.url}${path}`, { method: 'PUT', headers });
  upload.on('error', () => undefined);
  upload.write(AUDIO);
  return upload;
}

async function unfinished(): Promise<number> {
  return (await readdir(join(directory, 'unfinished'))).length;
}

describe('uploads', () => {
  test('beyond four of a clinic at once are told to come back, and no other clinic is', async () => {
    const paused = await Promise.all(Array.from({ length: UPLOADS }, () => pausedUpload(api)));
    await until('all of them to arrive', async () => (await unfinished()) === UPLOADS);
    const refused = await uploadTo(api.client, await aStartedCall(api.client));
    expect([refused.status, refused.body['error']]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await uploadTo(other, await aStartedCall(other))).status).toBe(201);
    paused[0]?.destroy();
    await until(
      'a place to be free',
      async () => (await uploadTo(api.client, await aStartedCall(api.client))).status === 201,
    );
    for (const upload of paused) upload.destroy();
    await until('nothing to be left of them', async () => (await unfinished()) === 0);
  });

  test('slower than 16 KiB a second on average are given up after the start', async () => {
    const recording = { startMs: 0, bytesPerSecond: 10 * AUDIO.length };
    const own = await startTestApi({ deadlines: { recording } });
    const upload = await pausedUpload(own);
    const [answer] = (await once(upload, 'response')) as [{ statusCode: number }];
    expect(answer.statusCode).toBe(408);
    upload.destroy();
    await own[Symbol.asyncDispose]();
  });

  test('are not blamed for the time that we take', async () => {
    const recording = { startMs: 1, bytesPerSecond: 1024 };
    const own = await startTestApi({ deadlines: { recording } });
    const call = await aStartedCall(own.client);
    expect((await uploadTo(own.client, call, { audio: audioOf(3 * MEGABYTE) })).status).toBe(201);
    await own[Symbol.asyncDispose]();
  });
});

describe('downloads', () => {
  let links: string[];

  beforeAll(async () => {
    links = [];
    for (let made = 0; made < 3; made += 1) {
      const call = await aStartedCall(api.client);
      expect((await uploadTo(api.client, call, { audio: audioOf(24 * MEGABYTE) })).status).toBe(201);
      links.push(await linkTo(api.client, call));
    }
  });

  /** Asks for a recording and reads only how it begins. */
  async function stalledDownload(link: string): Promise<{ socket: Socket; status: number }> {
    const { hostname, port } = new URL(api.url);
    const { pathname, search } = new URL(link);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    return { socket, status: Number(String((socket.read(12) as Buffer).subarray(9))) };
  }

  test('beyond four of a link, and ten of a clinic, are told to come back', async () => {
    const stalled = [];
    for (let at = 0; at < DOWNLOADS; at += 1)
      stalled.push(await stalledDownload(links[Math.floor(at / OF_A_LINK)] ?? ''));
    expect(stalled.map(({ status }) => status)).toEqual(stalled.map(() => 200));
    // What a reader has not taken counts as its clinic's.
    await until('them to wait', () => unread.total > 0);
    for (const link of [links[0], links[2]]) {
      const { status, headers } = await open(api, link ?? '');
      expect([status, headers.get('retry-after')]).toEqual([429, '5']);
    }
    const call = await aStartedCall(other);
    await uploadTo(other, call);
    expect((await open(api, await linkTo(other, call))).audio.equals(AUDIO)).toBe(true);
    for (const { socket } of stalled) socket.destroy();
    const again = await until('the places to be free', async () => {
      const answer = await open(api, links[0] ?? '', { headers: { range: 'bytes=0-9' } });
      return answer.status === 206 && answer;
    });
    expect(again.audio).toHaveLength(10);
    await until('nothing to wait', () => unread.total === 0);
  });

  test('are refused before any work while the clinic leaves too much unread', async () => {
    const release = unread.hold(api.clinic.tenantId, 64 * MEGABYTE + 1);
    const { status, headers } = await open(api, links[0] ?? '');
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    release();
  });
});
