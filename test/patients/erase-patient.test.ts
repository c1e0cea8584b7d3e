import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { openFileStorage } from '../../adapters/recordings/file-storage.ts';
import { SEALED_KINDS } from '../../commands/encryption/sealed-kinds.ts';
import { lockSealedRows } from '../../db/encryption/sealed-rows.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { adminWith, answerOf, type Admin, type Json } from '../admin/admin-runs.ts';
import { aSpeech, aStartedCall } from '../calls/call-builders.ts';
import { AUDIO, uploadTo } from '../calls/recording-builders.ts';
import { appointmentIn } from '../support/api-client.ts';
import { startTestApi, TEST_CIPHER, type TestApi } from '../support/api-server.ts';
import { anEndpoint, bookingBody, inHours } from '../support/clinic.ts';
import { dump } from '../support/stored-texts.ts';

const KEY = Buffer.alloc(32, 9);
const PHONE = '+351961112223';
const OTHER_PHONE = '+351964445556';
/** Words that stand nowhere else. */
const PATIENT = { patientName: 'Zulmira Zorro', patientPhone: PHONE, patientNotes: 'zebra-allergy' };
const TRACES = ['Zulmira', 'zebra', 'zigzag', 'zenith', 'zinc', 'zodiac', 'zumba', 'zeppelin', PHONE];

let api: TestApi;
let admin: Admin;
let recordings: string;
let endpointId: string;

beforeAll(async () => {
  recordings = await mkdtemp(join(tmpdir(), 'clinic-erase-'));
  const links = createRecordingLinks([KEY], 'http://api.test');
  api = await startTestApi({ recordings: { storage: await openFileStorage(recordings), links } });
  endpointId = await anEndpoint(api.database, api.clinic.tenantId);
  admin = adminWith({
    DATABASE_URL: api.databaseUrl,
    SERVICE_MODE: 'test',
    PHONE_HASH_KEY: Buffer.alloc(32, 7).toString('base64'),
    ENCRYPTION_KEY: KEY.toString('base64'),
    RECORDINGS_URL: pathToFileURL(recordings).href,
    ADMIN_ACTOR: 'ana',
  });
});
afterAll(async () => {
  await api.stop();
  await rm(recordings, { recursive: true, force: true });
});

/** Everything that the service may come to know of a patient. */
async function aKnownPatient(
  hour: number,
): Promise<{ appointmentId: string; movedId: string; callId: string }> {
  const { client, clinic, database } = api;
  const details = { ...PATIENT, metadata: { nickname: 'zigzag' }, externalId: 'zenith-1' };
  const key = { 'idempotency-key': uuidv7() };
  const booked = await client.post('/v1/appointments', bookingBody(clinic, inHours(hour), details), key);
  const { id: appointmentId } = appointmentIn(booked);
  await client.post('/v1/triage-forms', { appointmentId, answers: { main_complaint: 'zinc' } });
  await client.post('/v1/nps-responses', { appointmentId, score: 9, comment: 'zodiac' });
  const moved = await client.patch(`/v1/appointments/${appointmentId}`, {
    startsAt: inHours(hour + 2).toISOString(),
  });
  const { id: movedId } = moved.body['replacement'] as { id: string };
  const callId = await aStartedCall(client, { fromNumber: PHONE, metadata: { mood: 'zumba' } });
  await client.post(`/v1/calls/${callId}/events`, { events: [aSpeech(0, { transcript: 'zeppelin' })] });
  const ended = { endedAt: '2026-03-02T09:40:00.000Z', outcome: 'info_only' };
  await client.post(`/v1/calls/${callId}/complete`, ended);
  await uploadTo(client, callId);
  await database.em().execute(
    `INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, outcome, error_class, response_status, response_excerpt)
     SELECT id, 1, now(), 5, 'failed', 'http_5xx', 500, 'Zulmira is unknown' FROM webhook_delivery WHERE appointment_id = ?`,
    [appointmentId],
  );
  await database.em().execute(
    `INSERT INTO recall (tenant_id, patient_phone_hash, last_visit_at, created_at)
     SELECT tenant_id, patient_phone_hash, now() - interval '1 year', now() FROM appointment WHERE id = ?`,
    [appointmentId],
  );
  return { appointmentId, movedId, callId };
}

/** Everything that is stored, the encrypted in clear. */
async function everythingStored(): Promise<string> {
  const texts = [await dump(api.database)];
  for (const { table, places } of SEALED_KINDS) {
    const wanted = { after: null, limit: 100_000, header: 'none' };
    const rows = await api.database.em().transactional((em) => lockSealedRows(em, table, wanted));
    for (const row of rows) {
      for (const [at, place] of places(row).entries()) {
        texts.push(TEST_CIPHER.decrypt(row.texts[at] ?? '', place));
      }
    }
  }
  for (const name of await readdir(recordings, { recursive: true })) {
    texts.push(await readFile(join(recordings, name), 'latin1').catch(() => ''));
  }
  return texts.join('\n');
}

async function counts(): Promise<Json[]> {
  const tables = [
    'appointment',
    'call',
    'call_event',
    'nps_response',
    'triage_form',
    'recall',
    'webhook_event',
  ];
  const parts = [...tables, 'webhook_delivery', 'webhook_attempt', 'appointment_change'].map(
    (table) => `SELECT '${table}' AS name, count(*)::int AS rows FROM ${table}`,
  );
  return api.database.em().execute<Json[]>(parts.join(' UNION ALL '));
}

test('nothing of an erased patient is left anywhere, nothing else is touched, and all counts stay', async () => {
  const { client, clinic, database } = api;
  const known = await aKnownPatient(30);
  const other = { patientName: 'Rui Costa', patientPhone: OTHER_PHONE, patientNotes: 'left knee' };
  const rui = appointmentIn(
    await client.post('/v1/appointments', bookingBody(clinic, inHours(40), other), {}),
  );
  const [before, hash] = [await counts(), await hashOf(known.appointmentId)];
  const stored = await everythingStored();
  for (const trace of [...TRACES, hash]) expect(stored).toContain(trace);
  expect(await recordingsStored()).toBe(1);

  const erased = await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', PHONE));
  expect(erased).toEqual({
    appointments: 2,
    calls: 1,
    recordings: 1,
    events: expect.any(Number),
    npsResponses: 1,
    triageForms: 1,
    recalls: 1,
    keptAnswers: 1,
  });
  const left = await everythingStored();
  for (const trace of [...TRACES, hash]) expect(left).not.toContain(trace);
  expect(await recordingsStored()).toBe(0);
  expect(await counts()).toEqual(before);

  const kept = appointmentIn(await client.get(`/v1/appointments/${rui.id}`));
  expect(kept).toEqual(rui);
  const skeleton = appointmentIn(await client.get(`/v1/appointments/${known.movedId}`));
  expect(skeleton).toMatchObject({
    patientName: 'erased',
    patientNotes: null,
    metadata: null,
    externalId: null,
    status: 'confirmed',
    startsAt: inHours(32).toISOString(),
  });
  const call = await client.get(`/v1/calls/${known.callId}`);
  expect(call.body['call']).toMatchObject({ fromNumber: null, metadata: {}, recordingUrl: null });
  const audit = await database
    .em()
    .execute<Json[]>(`SELECT actor, details FROM audit_event WHERE action = 'patient.erased'`);
  expect(audit).toEqual([{ actor: 'operator:ana', details: erased }]);

  const again = await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', PHONE));
  expect(Object.values(again).every((count) => count === 0)).toBe(true);
});

async function recordingsStored(): Promise<number> {
  const entries = await readdir(recordings, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

async function hashOf(appointmentId: string): Promise<string> {
  const [row] = await api.database
    .em()
    .execute<{ hash: string }[]>('SELECT patient_phone_hash AS hash FROM appointment WHERE id = ?', [
      appointmentId,
    ]);
  return row?.hash ?? '';
}

test('a delivery that waits for a retry goes on with the erased body, and its events still fit their schemas', async () => {
  const { client, clinic } = api;
  const patient = { ...PATIENT, patientPhone: '+351967778889' };
  const booked = appointmentIn(
    await client.post('/v1/appointments', bookingBody(clinic, inHours(60), patient), {}),
  );
  await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', patient.patientPhone));
  const deliveries = await client.get('/v1/webhook-deliveries', { appointmentId: booked.id });
  const [delivery] = deliveries.body['items'] as Json[];
  expect(delivery).toMatchObject({ endpointId, status: 'pending' });
  // The document describes every field of the body, and the answer is checked against it.
  const event = await client.get(`/v1/webhook-events/${String(delivery?.['eventId'])}`);
  expect(event.status).toBe(200);
  expect(event.text).toContain('"patientName":"erased"');
  expect(event.text).not.toContain('Zulmira');
});

test('a patient’s data is given out whole, the recordings as files', async () => {
  const { clinic } = api;
  const { callId } = await aKnownPatient(100);
  const directory = join(recordings, 'given-out');
  const whose = ['--tenant', clinic.tenantId, '--phone', PHONE];
  const run = await admin('patient', 'export', ...whose, '--recordings', directory);
  expect(run.exitCode).toBe(0);
  for (const trace of TRACES) expect(run.stdout).toContain(trace);
  expect(await readFile(join(directory, callId))).toEqual(AUDIO);
  const { appointments, calls } = await answerOf(Promise.resolve(run));
  expect(appointments).toMatchObject([
    { patientName: PATIENT.patientName, npsResponse: { score: 9 }, triageForm: { answers: {} } },
    { patientName: PATIENT.patientName },
  ]);
  expect(calls).toMatchObject([{ fromNumber: PHONE, recording: { sizeBytes: AUDIO.length } }]);
  await answerOf(admin('patient', 'erase', ...whose));
});
