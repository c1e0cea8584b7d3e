import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import type { RecordingStorage } from '../../adapters/recordings/recording-storage.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { removeDueRecordings } from '../../commands/calls/remove-recordings.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { SCOPES } from '../../domain/clinic/api-scopes.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { createApiClient } from '../support/api-client.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { aStartedCall } from './call-builders.ts';
import { AUDIO, linkTo, open, uploadTo } from './recording-builders.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clinic-audio-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** The files of recordings, whole ones and unfinished ones. */
async function storedFiles(): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** What every API process does once a minute. */
async function nextRound(database: Database): Promise<void> {
  const storage = await openFileStorage(directory);
  await removeDueRecordings({ read: (work) => work(database.em()), storage, logger: testLogger() });
}

/** As if two hours had passed. */
function allIsDue(database: Database): Promise<unknown> {
  return database.em().execute('UPDATE recording_removal SET due_at = now()');
}

describe('while the storage refuses to remove anything', () => {
  let api: TestApi;
  beforeEach(async () => {
    const storage: RecordingStorage = await openFileStorage(directory);
    const refusing = { ...storage, remove: () => Promise.reject(new Error('the storage is away')) };
    const links = createRecordingLinks([Buffer.alloc(32, 9)], 'http://api.test');
    api = await startTestApi({ recordings: { storage: refusing, links } });
  });
  afterEach(() => api[Symbol.asyncDispose]());

  test('an erased recording is erased, and its bytes go when the storage is back', async () => {
    const id = await aStartedCall(api.client);
    await uploadTo(api.client, id);
    const link = await linkTo(api.client, id);
    expect((await api.client.delete(`/v1/calls/${id}/recording`)).status).toBe(204);
    expect((await open(api, link)).status).toBe(404);
    expect(await storedFiles()).toHaveLength(1);
    await nextRound(api.database);
    expect(await storedFiles()).toEqual([]);
  });

  test('a replaced one too, and the one in its place stays', async () => {
    const id = await aStartedCall(api.client);
    await uploadTo(api.client, id);
    const replaced = await uploadTo(api.client, id, { audio: Buffer.from('another'), replace: true });
    expect(replaced.status).toBe(201);
    expect(await storedFiles()).toHaveLength(2);
    await allIsDue(api.database);
    await nextRound(api.database);
    expect(await storedFiles()).toHaveLength(1);
    expect((await open(api, await linkTo(api.client, id))).audio.toString()).toBe('another');
  });

  test('so does what was uploaded twice at once and taken once', async () => {
    const id = await aStartedCall(api.client);
    const answers = await Promise.all(
      ['one', 'two'].map((text) => uploadTo(api.client, id, { audio: Buffer.from(text) })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    await allIsDue(api.database);
    await nextRound(api.database);
    expect(await storedFiles()).toHaveLength(1);
    expect((await open(api, await linkTo(api.client, id))).status).toBe(200);
  });
});

describe('when the API is killed in an upload', () => {
  let database: OpenTestDatabase;
  let key: string;
  let tenantId: string;
  beforeEach(async () => {
    database = await openTestDatabase();
    ({ tenantId } = await aClinic(database));
    const input = { tenantId, name: 'test', scopes: SCOPES, expiresAt: null, mode: 'test' as const };
    ({ key } = await database.write((em) => createApiKey(em, input, asOperator())));
  });
  afterEach(() => database[Symbol.asyncDispose]());

  const anApi = () => startApiProcess(database.url, { RECORDINGS_URL: pathToFileURL(directory).href });

  function beginUpload(apiUrl: string, callId: string) {
    const upload = httpRequest(`${apiUrl}/v1/calls/${callId}/recording`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'audio/wav' },
    });
    upload.on('error', () => undefined);
    upload.write(AUDIO);
    return upload;
  }

  test('the part that came goes when no upload can last any longer, and not before', async () => {
    const api = await anApi();
    beginUpload(api.url, await aStartedCall(createApiClient(api.url, key)));
    await until('the upload to arrive', async () => (await storedFiles()).length === 1);
    await api.kill();
    await nextRound(database);
    expect(await storedFiles()).toHaveLength(1);
    await allIsDue(database);
    await nextRound(database);
    expect(await storedFiles()).toEqual([]);
  });

  test('so does a whole one whose call does not have it yet', async () => {
    const api = await anApi();
    const callId = await aStartedCall(createApiClient(api.url, key));
    await database.write(async (em) => {
      await em.execute('SELECT FROM call WHERE id = ? FOR UPDATE', [callId]);
      beginUpload(api.url, callId).end();
      await until('the upload to be whole', async () => (await readdir(directory)).includes(tenantId));
      await until(
        'the file to have its name',
        async () => (await readdir(join(directory, tenantId))).length === 1,
      );
      await api.kill();
    });
    await allIsDue(database);
    await nextRound(database);
    expect(await storedFiles()).toEqual([]);
  });
});
