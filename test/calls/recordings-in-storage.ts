import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { openRecordingStorage } from '../../adapters/recordings/open-recording-storage.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';
import { readConfig } from '../../adapters/config/read-config.ts';
import { recordingsConfig } from '../../adapters/config/recordings-config.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { startFaultyProxy, type FaultyProxy } from '../support/servers/faulty-proxy.ts';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server } from '../support/servers/s3-server.ts';
import { aStartedCall, eventsOf } from './call-builders.ts';
import { AUDIO, linkTo, open, uploadTo } from './recording-builders.ts';

/** Above the size of one part, so that it goes up in several. */
const LARGE = Buffer.concat(Array.from({ length: 120 }, () => AUDIO));
const links = createRecordingLinks([Buffer.alloc(32, 9)], 'http://api.test');

/** What is held of recordings in any storage that speaks S3. */
export function recordingsIn(start: () => Promise<S3Server>): void {
  let s3: S3Server;
  let proxy: FaultyProxy;
  let storage: RecordingStorage;
  let api: TestApi;

  beforeAll(async () => {
    Object.assign(process.env, S3_CREDENTIALS);
    s3 = await start();
    proxy = await startFaultyProxy(s3.endpoint);
    const variables = { RECORDINGS_URL: `s3://${S3_BUCKET}/audio/`, AWS_ENDPOINT_URL: proxy.endpoint };
    storage = await openRecordingStorage(readConfig({ recordings: recordingsConfig }, variables).recordings);
    api = await startTestApi({ recordings: { storage, links } });
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    storage[Symbol.dispose]();
    await proxy.stop();
    await s3.stop();
    for (const name of Object.keys(S3_CREDENTIALS)) delete process.env[name];
  });

  async function aRecordedCall(audio = AUDIO): Promise<string> {
    const id = await aStartedCall(api.client);
    expect((await uploadTo(api.client, id, { audio })).status).toBe(201);
    return id;
  }

  test.each([
    ['in one piece', AUDIO],
    ['in parts', LARGE],
  ])(
    'a recording goes up %s, sealed and under ids alone, and its link opens all of it and any part',
    async (_how, audio) => {
      const link = await linkTo(api.client, await aRecordedCall(audio));
      const name = { tenantId: api.clinic.tenantId, id: new URL(link).pathname.split('/').at(-1) ?? '' };
      expect(await s3.keys()).toContain(`audio/${name.tenantId}/${name.id}`);
      const bytes = await storage.read(name, { first: 0, last: audio.length - 1 });
      const stored = bytes === null ? Buffer.alloc(0) : await buffer(bytes);
      expect(stored).toHaveLength(audio.length);
      expect(stored.includes(AUDIO.subarray(0, 32))).toBe(false);

      const whole = await open(api, link);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
      expect(whole.headers.get('cache-control')).toBe('private');
      expect(whole.audio.equals(audio)).toBe(true);
      const part = await open(api, link, { headers: { range: 'bytes=65530-65545' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes 65530-65545/${audio.length}`,
      ]);
      expect(part.audio.equals(audio.subarray(65_530, 65_546))).toBe(true);
    },
  );

  test('HEAD tells the size of the audio', async () => {
    const link = await linkTo(api.client, await aRecordedCall());
    const { status, headers } = await open(api, link, { method: 'HEAD' });
    expect([status, headers.get('content-length')]).toEqual([200, String(AUDIO.length)]);
  });

  test('a replaced recording and an erased one leave the bucket', async () => {
    const [replaced, erased] = [await aRecordedCall(), await aRecordedCall()];
    const keys = await s3.keys();
    await uploadTo(api.client, replaced, { audio: Buffer.from('another'), replace: true });
    await api.client.delete(`/v1/calls/${erased}/recording`);
    expect(await s3.keys()).toHaveLength(keys.length - 1);
  });

  test('bytes that cannot be removed are logged by their id, and the recording is replaced all the same', async () => {
    const id = await aRecordedCall();
    const oldId = new URL(await linkTo(api.client, id)).pathname.split('/').at(-1);
    proxy.refuse('DELETE');
    const answer = await uploadTo(api.client, id, { audio: Buffer.from('another'), replace: true });
    proxy.refuse(null);
    expect(answer.status).toBe(201);
    const line = api.log.find((text) => text.includes('recording.bytes_left'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ recordingId: oldId });
  });

  test('a storage that gives nothing out answers 503 to a link, which is good again afterwards', async () => {
    const link = await linkTo(api.client, await aRecordedCall());
    proxy.refuse('GET');
    const { status, headers, audio } = await open(api, link);
    proxy.refuse(null);
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(JSON.parse(audio.toString())).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await open(api, link)).audio.equals(AUDIO)).toBe(true);
  });

  test.each([
    ['says so', false],
    ['says 403, as to an account that may not list the bucket', true],
  ])('an object that is missing from a bucket that %s is not found', async (_how, hides) => {
    if (hides) proxy.hideMissing();
    const missing = { tenantId: api.clinic.tenantId, id: uuidv7() };
    expect(await storage.read(missing, { first: 0, last: 9 })).toBeNull();
  });

  test('a storage that fails in the middle of an upload answers 503, records nothing and keeps no parts', async () => {
    const id = await aStartedCall(api.client);
    const [keys, events] = [await s3.keys(), await eventsOf(api, 'call.recording_ready')];
    proxy.refuse('PUT', { after: 1 });
    const answer = await uploadTo(api.client, id, { audio: LARGE });
    proxy.refuse(null);
    expect([answer.status, answer.body['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(await s3.keys()).toEqual(keys);
    expect(await eventsOf(api, 'call.recording_ready')).toEqual(events);
    expect(proxy.hasSeen('DELETE', 'uploadId')).toBe(true);
    expect((await uploadTo(api.client, id, { audio: LARGE })).status).toBe(201);
  });

  test('downloads that are not read keep neither uploads nor other downloads waiting', async () => {
    const link = await linkTo(api.client, await aRecordedCall(LARGE));
    const name = { tenantId: api.clinic.tenantId, id: new URL(link).pathname.split('/').at(-1) ?? '' };
    const whole = { first: 0, last: LARGE.length - 1 };
    const unread = await Promise.all(Array.from({ length: 60 }, () => storage.read(name, whole)));
    expect((await open(api, link)).audio.equals(LARGE)).toBe(true);
    await aRecordedCall(LARGE);
    for (const pieces of unread) for await (const piece of pieces ?? []) if (piece.length > 0) break;
  });
}
