import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { readdir, readFile, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { insertPatientEmail } from '../../db/self-service/patient-emails.ts';
import { findPatients } from '../../db/patients/find-patients.ts';
import { plainName } from '../../domain/patients/plain-name.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { aStartedCall } from '../calls/call-builders.ts';
import { linkTo, open, uploadTo } from '../calls/recording-builders.ts';
import { bookingBody, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { answerWith } from '../support/servers/receiver.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { dump } from '../support/stored/stored-texts.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { forSuite } from '../support/for-suite.ts';

const aMark = (of: string) => `${of}-${randomBytes(9).toString('hex')}`;

const NAME = { first: aMark('Zoë'), last: aMark('Conceição') };

/** Each stands in one field, and nowhere else in this cluster. */
const SEALED = {
  patientName: `${NAME.first} ${NAME.last}`,
  notes: aMark('notes'),
  newNotes: aMark('new-notes'),
  metadata: aMark('metadata'),
  callMetadata: aMark('call-metadata'),
  transcript: aMark('transcript'),
  toolInput: aMark('tool-input'),
  toolOutput: aMark('tool-output'),
  comment: aMark('comment'),
  answers: aMark('answers'),
  title: aMark('title'),
  email: `${aMark('email')}@mail.example`,
  excerpt: aMark('excerpt'),
  caller: `+35191${randomInt(1_000_000, 10_000_000)}`,
};
/** As a name is compared and searched. */
const PARTS_OF_NAME = {
  first: NAME.first,
  last: NAME.last,
  plainFirst: plainName(NAME.first),
  plainLast: plainName(NAME.last),
  // What is left of it as words.
  digits: NAME.last.split('-')[1] ?? '',
};
/** What another system calls an appointment: it is not sealed, and stands in the same rows. */
const CLEAR = { externalId: aMark('number') };

let audio: Buffer;
let appointmentId: string;
let callId: string;

const { path: recordings } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-stolen-')));
const links = createRecordingLinks([TEST_ENCRYPTION_KEY], 'http://api.test');
const api = await suiteApi({ recordings: { storage: await openFileStorage(recordings), links } });
const { client, clinic, database } = api;
const surroundings = await forSuite(createWorkerSurroundings(api.databaseUrl));
await aFullDay();

/** A clinic whose every field holds a mark, with a receiver that repeats what it was sent. */
async function aFullDay(): Promise<void> {
  const receiver = await surroundings.startReceiver();
  receiver.otherwise(answerWith(500, SEALED.excerpt));
  await surroundings.subscribe(clinic.tenantId, receiver.url());
  const booked = await client.post(
    '/v1/appointments',
    bookingBody(clinic, inHours(24), {
      ...CLEAR,
      patientName: SEALED.patientName,
      source: 'manual',
      patientNotes: SEALED.notes,
      metadata: { of: SEALED.metadata },
    }),
    { 'idempotency-key': randomUUID() },
  );
  expect(booked.status).toBe(201);
  appointmentId = String(booked.body['id']);
  await client.patch(`/v1/appointments/${appointmentId}`, { patientNotes: SEALED.newNotes });
  const visit = { id: appointmentId, tenantId: clinic.tenantId, endsAt: inHours(25) };
  await database.write((em) => insertPatientEmail(em, visit, { email: SEALED.email, language: 'en' }));
  await client.post('/v1/nps-responses', { appointmentId, score: 9, comment: SEALED.comment });
  await client.post('/v1/triage-forms', { appointmentId, answers: { of: SEALED.answers } });
  callId = await aStartedCall(client, { fromNumber: SEALED.caller, metadata: { of: SEALED.callMetadata } });
  const at = { occurredAt: '2026-03-02T09:31:00.000Z' };
  const { transcript, toolInput, toolOutput } = SEALED;
  await client.post(`/v1/calls/${callId}/events`, {
    events: [
      { ...at, sequence: 0, eventType: 'speech', transcript },
      { ...at, sequence: 1, eventType: 'tool_call', toolName: 'find', toolInput: { of: toolInput } },
      { ...at, sequence: 2, eventType: 'tool_result', toolName: 'find', toolOutput: { of: toolOutput } },
    ],
  });
  audio = Buffer.concat(Array.from({ length: 9000 }, () => Buffer.from(SEALED.transcript)));
  await uploadTo(client, callId, { audio });
  const block = { professionalId: null, startsAt: inHours(48), endsAt: inHours(49), title: SEALED.title };
  await client.send('PUT', '/v1/busy-blocks/leave', { body: block });
  const worker = await surroundings.startWorker();
  await until('an attempt of each delivery', async () => {
    const unsent = await api.database
      .em()
      .execute('SELECT 1 FROM webhook_delivery WHERE attempt_count = 0 AND status <> ?', ['skipped']);
    return unsent.length === 0;
  });
  await worker.stop();
}

/** The files of the cluster that hold the database, and all WAL. */
async function filesOfCluster(): Promise<string[]> {
  const em = api.database.em();
  await em.execute('CHECKPOINT');
  const [{ directory } = { directory: '' }] = await em.execute<{ directory: string }[]>(
    `SELECT current_setting('data_directory') AS directory`,
  );
  const [{ base } = { base: '' }] = await em.execute<{ base: string }[]>(
    `SELECT 'base/' || oid AS base FROM pg_database WHERE datname = current_database()`,
  );
  const under = async (folder: string) => {
    const entries = await readdir(join(directory, folder), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(directory, folder, name));
  };
  return [...(await under(base)), ...(await under('pg_wal'))];
}

/** Which of the marks stand in the files. */
async function foundIn(paths: readonly string[], marks: Record<string, string>): Promise<string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    // PostgreSQL takes files away that it needs no longer.
    const text = await readFile(path, 'latin1').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    });
    for (const [name, mark] of Object.entries(marks)) if (text.includes(mark)) found.add(name);
  }
  return [...found].toSorted();
}

test('without keys a dump, the data files, the WAL and the recordings hold nothing that patients or the clinic said', async () => {
  const all = { ...SEALED, ...PARTS_OF_NAME, ...CLEAR };
  const text = await dump(api.database);
  const inDump = Object.entries(all).filter(([, mark]) => text.includes(mark));
  expect(inDump.map(([name]) => name).toSorted()).toEqual(Object.keys(CLEAR).toSorted());

  const cluster = await filesOfCluster();
  expect(await foundIn(cluster, all)).toEqual(Object.keys(CLEAR).toSorted());

  const stored = await readdir(recordings, { recursive: true, withFileTypes: true });
  const files = stored.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files).toHaveLength(1);
  expect(await foundIn(files, all)).toEqual([]);
});

test('with the keys all of it is there', async () => {
  expect((await client.get(`/v1/appointments/${appointmentId}`)).body).toMatchObject({
    patientName: SEALED.patientName,
    patientNotes: SEALED.newNotes,
    metadata: { of: SEALED.metadata },
  });
  const asked = { tenantId: api.clinic.tenantId, patientPhoneHashes: null, limit: 5, now: new Date() };
  for (const question of ['zoe', `conceicao ${PARTS_OF_NAME.digits}`, CLEAR.externalId])
    expect(await findPatients(api.database.em(), { ...asked, question })).toMatchObject([
      { name: SEALED.patientName, next: [{ id: appointmentId }] },
    ]);
  const { body } = await client.get(`/v1/calls/${callId}`);
  expect(body).toMatchObject({
    call: { fromNumber: SEALED.caller, metadata: { of: SEALED.callMetadata } },
    events: [
      { transcript: SEALED.transcript },
      { toolInput: { of: SEALED.toolInput } },
      { toolOutput: { of: SEALED.toolOutput } },
    ],
  });
  const link = await linkTo(client, callId);
  expect((await open(api, link)).audio.equals(audio)).toBe(true);
  const part = await open(api, link, { headers: { range: 'bytes=65530-65545' } });
  expect(part.audio.equals(audio.subarray(65_530, 65_546))).toBe(true);
});

test('a text that was put into another row, or another clinic’s, is refused, and the answer says nothing of it', async () => {
  const other = await client.post(
    '/v1/appointments',
    bookingBody(clinic, inHours(30), { patientNotes: 'x' }),
  );
  const otherId = String(other.body['id']);
  await database
    .em()
    .execute(
      `UPDATE appointment SET patient_notes = (SELECT patient_notes FROM appointment WHERE id = ?) WHERE id = ?`,
      [appointmentId, otherId],
    );
  const refused = await client.get(`/v1/appointments/${otherId}`);
  expect([refused.status, refused.body['error']]).toEqual([503, 'temporarily_unavailable']);
  expect(refused.text).not.toContain(SEALED.newNotes);
  expect(api.log.join('\n')).not.toContain(SEALED.newNotes);
});

test('a process with another master key opens nothing, and its error names no content', async () => {
  const sealing = createSealing([randomBytes(32)]);
  const options = { sealing, url: api.databaseUrl, applicationName: 'test stranger' };
  await using stranger = await openDatabase(options);
  const asked = findAppointment(stranger.em(), api.clinic.tenantId, appointmentId);
  await expect(asked).rejects.toThrow(
    /^The value was encrypted with the key [0-9a-f]{8}, which is not in ENCRYPTION_KEY$/,
  );
});
