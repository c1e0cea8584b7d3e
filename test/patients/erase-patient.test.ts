import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openFileStorage } from '../../adapters/recordings/file-storage.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { adminWith, answerOf, type Admin, type Json } from '../admin/admin-runs.ts';
import { CLINIC_NUMBER } from '../calls/call-builders.ts';
import { AUDIO } from '../calls/recording-builders.ts';
import { appointmentIn } from '../support/api-client.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { anEndpoint, bookingBody, inHours } from '../support/clinic.ts';
import { aKnownPatient, PATIENT, PHONE, TRACES } from './known-patient.ts';
import { countsOf, everythingStored, recordingsStored } from './everything-stored.ts';

const KEY = Buffer.alloc(32, 9);
const OTHER_PHONE = '+351964445556';
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

test('nothing of an erased patient is left anywhere, nothing else is touched, and all counts stay', async () => {
  const { client, clinic, database } = api;
  const known = await aKnownPatient(api, 30);
  const other = { patientName: 'Rui Costa', patientPhone: OTHER_PHONE, patientNotes: 'left knee' };
  const rui = appointmentIn(
    await client.post('/v1/appointments', bookingBody(clinic, inHours(40), other), {}),
  );
  const [before, hash] = [await countsOf(api.database, 'recall'), await hashOf(known.appointmentId)];
  const stored = await everythingStored(api.database, recordings);
  for (const trace of [...TRACES, hash]) expect(stored).toContain(trace);
  expect(await recordingsStored(recordings)).toBe(1);

  const erased = await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', PHONE));
  expect(erased).toEqual({
    appointments: 2,
    calls: 2,
    recordings: 1,
    events: expect.any(Number),
    npsResponses: 1,
    triageForms: 1,
    recalls: 1,
    keptAnswers: 1,
  });
  const left = await everythingStored(api.database, recordings);
  for (const trace of [...TRACES, hash]) expect(left).not.toContain(trace);
  expect(await recordingsStored(recordings)).toBe(0);
  expect(await countsOf(api.database, 'recall')).toEqual(before);

  const kept = appointmentIn(await client.get(`/v1/appointments/${rui.id}`));
  expect(kept).toEqual(rui);
  const skeleton = appointmentIn(await client.get(`/v1/appointments/${known.movedId}`));
  expect(skeleton).toMatchObject({
    patientName: 'erased',
    patientNotes: null,
    metadata: null,
    externalId: null,
    patientExternalId: null,
    status: 'confirmed',
    startsAt: inHours(32).toISOString(),
  });
  const call = await client.get(`/v1/calls/${known.callId}`);
  expect(call.body['call']).toMatchObject({ fromNumber: null, metadata: {}, recordingUrl: null });
  const calledBack = await client.get(`/v1/calls/${known.calledBackId}`);
  expect(calledBack.body['call']).toMatchObject({ fromNumber: CLINIC_NUMBER, toNumber: null });
  const audit = await database
    .em()
    .execute<Json[]>(`SELECT actor, details FROM audit_event WHERE action = 'patient.erased'`);
  expect(audit).toEqual([{ actor: 'operator:ana', details: erased }]);

  const again = await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', PHONE));
  expect(Object.values(again).every((count) => count === 0)).toBe(true);
});

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
  const { callId } = await aKnownPatient(api, 100);
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
  expect(calls).toMatchObject([
    { fromNumber: PHONE, recording: { sizeBytes: AUDIO.length } },
    { fromNumber: CLINIC_NUMBER, toNumber: PHONE, recording: null },
  ]);
  await answerOf(admin('patient', 'erase', ...whose));
});
