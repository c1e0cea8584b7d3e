import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { openFileStorage } from '../../adapters/recordings/file-storage.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';
import { uploadRecording } from '../../commands/calls/upload-recording.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { adminWith, type Admin } from '../admin/admin-runs.ts';
import { asOperator } from '../support/clinic.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { testLogger } from '../support/test-logger.ts';
import { aStartedCall, eventsOf } from './call-builders.ts';
import { AUDIO, linkTo, open } from './recording-builders.ts';

let api: TestApi;
let storage: RecordingStorage;
let recordings: string;
let admin: Admin;

beforeAll(async () => {
  recordings = await mkdtemp(join(tmpdir(), 'clinic-unsealed-'));
  storage = await openFileStorage(recordings);
  const links = createRecordingLinks([TEST_ENCRYPTION_KEY], 'http://api.test');
  api = await startTestApi({ recordings: { storage, links } });
  admin = adminWith({
    DATABASE_URL: api.databaseUrl,
    SERVICE_MODE: 'test',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
    RECORDINGS_URL: pathToFileURL(recordings).href,
  });
});
afterAll(async () => {
  await api.stop();
  await rm(recordings, { recursive: true, force: true });
});

/** As the version before stored it; returns the call. */
async function anUnsealedRecording(): Promise<string> {
  const callId = await aStartedCall(api.client);
  const sealing = createSealing([TEST_ENCRYPTION_KEY], 'v2');
  const before = { sealing, url: api.databaseUrl, applicationName: 'test before' };
  await using database = await openDatabase(before);
  const { ciphers } = database;
  const own = database.ofClinic(api.clinic.tenantId);
  async function* pieces() {
    yield Uint8Array.from(AUDIO);
  }
  await uploadRecording(
    {
      tenantId: api.clinic.tenantId,
      callId,
      contentType: 'audio/wav',
      pieces: pieces(),
      mayReplace: false,
    },
    { ...own, ciphers, storage, logger: testLogger() },
    asOperator(),
  );
  return callId;
}

async function storedBytes(): Promise<Buffer[]> {
  const entries = await readdir(recordings, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
}

test('a recording of the version before is heard as it is, and after it was sealed; nobody is told of it again', async () => {
  const callId = await anUnsealedRecording();
  const link = await linkTo(api.client, callId);
  expect((await open(api, link)).audio.equals(AUDIO)).toBe(true);
  expect((await storedBytes()).map((bytes) => bytes.equals(AUDIO))).toEqual([true]);
  const events = await eventsOf(api, 'call.recording_ready');

  const run = await admin('secrets', 'seal-recordings');
  expect(run).toMatchObject({ exitCode: 0, stderr: '1\n' });
  expect(JSON.parse(run.stdout)).toEqual({ sealed: 1, lost: 0, left: 0 });

  const [bytes, ...others] = await storedBytes();
  expect(others).toEqual([]);
  expect(bytes?.includes(AUDIO.subarray(0, 32))).toBe(false);
  expect((await open(api, link)).status).toBe(404);
  const { audio, headers } = await open(api, await linkTo(api.client, callId));
  expect([audio.equals(AUDIO), headers.get('content-type')]).toEqual([true, 'audio/wav']);
  expect(await eventsOf(api, 'call.recording_ready')).toEqual(events);
  const removals = await api.database.em().execute('SELECT 1 FROM recording_removal');
  expect(removals).toEqual([]);
});

test('one that the storage has lost is told, and keeps no other from being sealed', async () => {
  const lost = await anUnsealedRecording();
  const id = new URL(await linkTo(api.client, lost)).pathname.split('/').at(-1) ?? '';
  await storage.remove({ id, tenantId: api.clinic.tenantId });
  await anUnsealedRecording();
  const run = await admin('secrets', 'seal-recordings');
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(run.stdout)).toEqual({ sealed: 1, lost: 1, left: 1 });
});
