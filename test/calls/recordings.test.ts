import { afterEach, describe, expect, test } from '@jest/globals';
import { readdir, rm, mkdtempDisposable } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { createApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';
import { aStartedCall, eventsOf } from './call-builders.ts';
import { AUDIO, linkTo, open, uploadTo } from './recording-builders.ts';
import { forSuite } from '../support/for-suite.ts';

const DAY_MS = 86_400_000;
let clock = () => new Date();

const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-audio-')));
const storage = await openFileStorage(directory);
const links = createRecordingLinks([Buffer.alloc(32, 9)], 'http://api.test/');
const api = await suiteApi({ recordings: { storage, links }, now: () => clock() });
afterEach(() => void (clock = () => new Date()));

/** The files of recordings, whole ones and unfinished ones. */
async function storedFiles(): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function aRecordedCall(): Promise<string> {
  const id = await aStartedCall(api.client);
  expect((await uploadTo(api.client, id)).status).toBe(201);
  return id;
}

/** What the links of the client are made with. */
async function ownKey() {
  return { kind: 'key' as const, id: String((await api.client.get('/v1/api-keys/me')).body['id']) };
}

describe('uploading', () => {
  test('is told once, with the end of the first link', async () => {
    const id = await aStartedCall(api.client);
    const first = await uploadTo(api.client, id);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ callId: id, contentType: 'audio/wav', sizeBytes: AUDIO.length });
    const again = await uploadTo(api.client, id);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    const told = (await eventsOf(api, 'call.recording_ready')).filter(
      (event) => event.data.call?.['id'] === id,
    );
    const uploadedAt = Date.parse(String(first.body['uploadedAt']));
    const recordingExpiresAt = new Date(uploadedAt + DAY_MS).toISOString();
    expect(told.map((event) => event.data)).toEqual([{ call: { id, recordingExpiresAt } }]);
  });

  test('other audio, or the same as another type, is a conflict and is not stored', async () => {
    const id = await aRecordedCall();
    const files = await storedFiles();
    const other = await uploadTo(api.client, id, { audio: Buffer.from('other') });
    expect([other.status, other.body['error']]).toEqual([409, 'external_id_conflict']);
    expect((await uploadTo(api.client, id, { contentType: 'audio/mpeg' })).status).toBe(409);
    expect(await storedFiles()).toEqual(files);
  });

  test('two different recordings at once leave one, and no file of the other', async () => {
    const id = await aStartedCall(api.client);
    const before = (await storedFiles()).length;
    const answers = await Promise.all(
      ['one', 'two'].map((text) => uploadTo(api.client, id, { audio: Buffer.from(text) })),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 409]);
    expect(await storedFiles()).toHaveLength(before + 1);
  });

  test('what is not audio, or nothing at all, is refused', async () => {
    const id = await aStartedCall(api.client);
    for (const contentType of ['text/html', 'audio/', 'audio/wav\u00e9', 'audio/x; a=<script>']) {
      const answer = await uploadTo(api.client, id, { contentType });
      expect([answer.status, answer.body['error']]).toEqual([400, 'unsupported_media_type']);
    }
    const empty = await uploadTo(api.client, id, { audio: Buffer.alloc(0) });
    expect([empty.status, empty.body['error']]).toEqual([400, 'malformed_request']);
    expect((await uploadTo(api.client, id, { contentType: 'audio/ogg; codecs=opus' })).status).toBe(201);
  });

  test('a recording beyond the limit is refused, declared or not, and leaves nothing', async () => {
    const id = await aStartedCall(api.client);
    const before = await storedFiles();
    const declared = await declareLength(`/v1/calls/${id}/recording`, 200 * 1024 * 1024 + 1);
    expect(declared).toBe(413);
    const answer = await uploadTo(api.client, id, { audio: zeros(200 * 1024 * 1024 + 1) });
    expect([answer.status, answer.body['error']]).toEqual([413, 'payload_too_large']);
    expect(await storedFiles()).toEqual(before);
    expect((await api.client.get(`/v1/calls/${id}/recording`)).status).toBe(404);
  });

  test('an upload that breaks off leaves no recording, no event and no file', async () => {
    const id = await aStartedCall(api.client);
    const [files, events] = [await storedFiles(), await eventsOf(api, 'call.recording_ready')];
    const upload = await begin(`/v1/calls/${id}/recording`, AUDIO);
    await until('the upload to arrive', async () => (await storedFiles()).length > files.length);
    upload.destroy();
    await until('the file to go', async () => (await storedFiles()).length === files.length);
    expect(await eventsOf(api, 'call.recording_ready')).toEqual(events);
    expect((await uploadTo(api.client, id)).status).toBe(201);
  });

  test('a storage that fails answers 503, records nothing, and takes the recording later', async () => {
    const id = await aStartedCall(api.client);
    await rm(join(directory, 'unfinished'), { recursive: true });
    const answer = await uploadTo(api.client, id);
    expect([answer.status, answer.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(api.log.join('\n')).toContain('recording.not_stored');
    expect((await api.client.get(`/v1/calls/${id}/recording`)).status).toBe(404);
    await openFileStorage(directory);
    expect((await uploadTo(api.client, id)).status).toBe(201);
  });
});

describe('a link', () => {
  test('opens the recording without a key until it ends, a day later', async () => {
    const id = await aRecordedCall();
    const answer = await api.client.get(`/v1/calls/${id}/recording`);
    expect(answer.body).toEqual({ url: expect.any(String), expiresInSeconds: 86_400 });
    const whole = await open(api, String(answer.body['url']));
    expect(whole.status).toBe(200);
    expect(whole.audio.equals(AUDIO)).toBe(true);
    expect(whole.headers.get('content-type')).toBe('audio/wav');
    expect(whole.headers.get('content-length')).toBe(String(AUDIO.length));
    expect(whole.headers.get('cache-control')).toBe('private');
  });

  test('in the call’s detail ends when the detail says', async () => {
    const id = await aRecordedCall();
    const { body } = await api.client.get(`/v1/calls/${id}`);
    const call = body['call'] as { recordingUrl: string; recordingExpiresAt: string };
    const end = Date.parse(call.recordingExpiresAt);
    clock = () => new Date(end - 1);
    expect((await open(api, call.recordingUrl)).status).toBe(200);
    clock = () => new Date(end);
    expect((await open(api, call.recordingUrl)).status).toBe(404);
  });

  test('is not shown to a key without recordings:read', async () => {
    const id = await aRecordedCall();
    const reader = createApiClient(api.url, await api.keyOf({ scopes: ['calls:read'] }));
    const { body } = await reader.get(`/v1/calls/${id}`);
    expect(body['call']).toMatchObject({ recordingUrl: null, recordingExpiresAt: null });
    expect((await reader.get(`/v1/calls/${id}/recording`)).status).toBe(403);
  });

  test.each([
    ['0-9', 206, 0, 10],
    ['99990-', 206, 99_990, 100_000],
    ['-5', 206, 99_995, 100_000],
    ['99999-200000', 206, 99_999, 100_000],
    ['-200000', 206, 0, 100_000],
    ['0-1,5-6', 200, 0, 100_000],
    ['nonsense', 200, 0, 100_000],
    ['9-3', 200, 0, 100_000],
  ])('gives the bytes %s with %i', async (range, status, from, until) => {
    const link = await linkTo(api.client, await aRecordedCall());
    const part = await open(api, link, { headers: { range: `bytes=${range}` } });
    expect(part.status).toBe(status);
    expect(part.audio.equals(AUDIO.subarray(from, until))).toBe(true);
    const contentRange = status === 206 ? `bytes ${from}-${until - 1}/100000` : null;
    expect(part.headers.get('content-range')).toBe(contentRange);
    const head = await open(api, link, { method: 'HEAD', headers: { range: `bytes=${range}` } });
    expect([head.status, head.headers.get('content-length')]).toEqual([status, String(until - from)]);
    expect(head.audio).toHaveLength(0);
  });

  test.each(['100000-', '-0', '200000-300000'])('has no bytes %s', async (range) => {
    const link = await linkTo(api.client, await aRecordedCall());
    const answer = await open(api, link, { headers: { range: `bytes=${range}` } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */100000']);
  });

  test('that is changed in any part, or made with another key, finds nothing', async () => {
    const url = new URL(await linkTo(api.client, await aRecordedCall()));
    const otherUrl = new URL(await linkTo(api.client, await aRecordedCall()));
    const recordingId = url.pathname.split('/').at(-1) ?? '';
    const maker = await ownKey();
    const stranger = createRecordingLinks([Buffer.alloc(32, 1)], 'http://api.test');
    const later = String(Number(url.searchParams.get('expires')) + 1);
    const forged = [
      `${url.origin}${otherUrl.pathname}${url.search}`,
      `${url.origin}${url.pathname}${url.search.replace(/expires=\d+/, `expires=${later}`)}`,
      `${url.origin}${url.pathname}${url.search.replace(/signature=./, 'signature=')}`,
      `${url.origin}${url.pathname}`,
      `${url.origin}/recordings/x${url.search}`,
      stranger.linkTo(recordingId, maker, new Date()).url,
      `${url.origin}${url.pathname}${url.search.replace(/by=key:[^&]+/, `by=key:${recordingId}`)}`,
      `${url.origin}${url.pathname}${url.search.replace(/by=[^&]+&/, '')}`,
    ];
    const answers = await Promise.all(forged.map((forgery) => open(api, forgery)));
    expect(answers.map((answer) => answer.status)).toEqual(forged.map(() => 404));
    expect((await open(api, url.href)).status).toBe(200);
  });

  test('that would live longer than a day is nobody’s, though it is signed with the right key', async () => {
    const url = new URL(await linkTo(api.client, await aRecordedCall()));
    const recordingId = url.pathname.split('/').at(-1) ?? '';
    const maker = await ownKey();
    const key = createRecordingLinks([Buffer.alloc(32, 9)], api.url);
    for (const made of [Date.now() + 3_600_000, Date.parse('2036-01-01T00:00:00Z')]) {
      const forged = key.linkTo(recordingId, maker, new Date(made)).url;
      expect((await open(api, forged)).status).toBe(404);
    }
    expect((await open(api, key.linkTo(recordingId, maker, new Date()).url)).status).toBe(200);
  });

  test('opens while its key is listed, though another one signs since', async () => {
    const url = await linkTo(api.client, await aRecordedCall());
    const [newer, older] = [Buffer.alloc(32, 1), Buffer.alloc(32, 9)];
    const { pathname, searchParams } = new URL(url);
    const proof = {
      expires: searchParams.get('expires') ?? '',
      by: searchParams.get('by') ?? '',
      signature: searchParams.get('signature') ?? '',
    };
    const isValid = (...keys: Buffer[]) =>
      createRecordingLinks(keys, 'http://api.test').isValid(
        pathname.split('/').at(-1) ?? '',
        proof,
        new Date(),
      );
    expect([isValid(older), isValid(newer, older), isValid(newer)]).toEqual([true, true, false]);
  });

  test('never reaches the log', async () => {
    const link = new URL(await linkTo(api.client, await aRecordedCall()));
    await open(api, link.href);
    expect(api.log.join('\n')).not.toContain(link.searchParams.get('signature'));
  });

  test('ends with the key that it was made with, and not with another one', async () => {
    const id = await aRecordedCall();
    const expiresAt = new Date(Date.now() + 3_600_000);
    const clients = await Promise.all(
      [{}, {}, { expiresAt }].map(async (options) => createApiClient(api.url, await api.keyOf(options))),
    );
    const links = await Promise.all(clients.map((client) => linkTo(client, id)));
    const statuses = () => Promise.all(links.map(async (link) => (await open(api, link)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    const revoked = String((await clients[0]?.get('/v1/api-keys/me'))?.body['id']);
    await api.client.post(`/v1/api-keys/${revoked}/revoke`, undefined);
    expect(await statuses()).toEqual([404, 200, 200]);
    clock = () => expiresAt;
    expect(await statuses()).toEqual([404, 200, 404]);
  });

  test('opens nothing while the clinic is canceled', async () => {
    const link = await linkTo(api.client, await aRecordedCall());
    const { tenantId } = api.clinic;
    const give = (status: 'canceled' | 'active') =>
      api.database.em().nativeUpdate(TenantEntity, { id: tenantId }, { status });
    await give('canceled');
    expect((await open(api, link)).status).toBe(404);
    await give('active');
    expect((await open(api, link)).status).toBe(200);
  });

  test('ends when its recording is replaced, whose file goes', async () => {
    const id = await aRecordedCall();
    const [link, files] = [await linkTo(api.client, id), await storedFiles()];
    const answer = await uploadTo(api.client, id, { audio: Buffer.from('another'), replace: true });
    expect(answer.status).toBe(201);
    expect((await open(api, link)).status).toBe(404);
    expect((await open(api, await linkTo(api.client, id))).audio.toString()).toBe('another');
    expect(await storedFiles()).toHaveLength(files.length);
    const again = await uploadTo(api.client, id, { audio: Buffer.from('another'), replace: true });
    expect(again.status).toBe(200);
    expect(await storedFiles()).toHaveLength(files.length);
  });

  test('ends when its recording is erased, whose file goes; erasing again is no error', async () => {
    const id = await aRecordedCall();
    const [link, files] = [await linkTo(api.client, id), await storedFiles()];
    expect((await api.client.delete(`/v1/calls/${id}/recording`)).status).toBe(204);
    expect((await open(api, link)).status).toBe(404);
    expect(await storedFiles()).toHaveLength(files.length - 1);
    expect((await api.client.get(`/v1/calls/${id}/recording`)).status).toBe(404);
    expect((await api.client.delete(`/v1/calls/${id}/recording`)).status).toBe(204);
  });
});

async function begin(path: string, bytes: Buffer, headers: Record<string, string> = {}) {
  const upload = httpRequest(`${api.url}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await api.keyOf()}`, 'content-type': 'audio/wav', ...headers },
  });
  upload.on('error', () => undefined);
  upload.write(bytes);
  return upload;
}

/** The status that answers a mere announcement of so many bytes. */
async function declareLength(path: string, length: number): Promise<number> {
  const upload = await begin(path, Buffer.alloc(1), { 'content-length': String(length) });
  const { promise, resolve } = Promise.withResolvers<number>();
  upload.on('response', (response) => resolve(response.statusCode ?? 0));
  const status = await promise;
  upload.destroy();
  return status;
}

function zeros(bytes: number): ReadableStream {
  const piece = new Uint8Array(1024 * 1024);
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const next = piece.subarray(0, left);
      left -= next.length;
      if (next.length > 0) controller.enqueue(next);
      else controller.close();
    },
  });
}
