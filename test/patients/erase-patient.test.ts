import { readFile, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { recordEvent } from '../../commands/webhooks/record-event.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { adminWith, answerOf, type Json } from '../admin/admin-runs.ts';
import { aSpeech, aStartedCall, CLINIC_NUMBER } from '../calls/call-builders.ts';
import { AUDIO } from '../calls/recording-builders.ts';
import { appointmentIn } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { anEndpoint, asOperator, bookingBody, inHours } from '../support/clinic.ts';
import { aKnownPatient, PATIENT, PHONE, RECEIVER_SAID, TRACES } from './known-patient.ts';
import { countsOf, everythingStored, recordingsStored, type Count } from './everything-stored.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { forSuite } from '../support/for-suite.ts';

const KEY = Buffer.alloc(32, 9);
const OTHER_PHONE = '+351964445556';

const { path: recordings } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-erase-')));
const links = createRecordingLinks([KEY], 'http://api.test');
const api = await suiteApi({ recordings: { storage: await openFileStorage(recordings), links } });
const { client, clinic, database } = api;
const { tenantId } = api.clinic;
const endpointId = await anEndpoint(api.database, api.clinic.tenantId);
const admin = adminWith({
  DATABASE_URL: api.databaseUrl,
  SERVICE_MODE: 'test',
  PHONE_HASH_KEY: Buffer.alloc(32, 7).toString('base64'),
  ENCRYPTION_KEY: KEY.toString('base64'),
  RECORDINGS_URL: pathToFileURL(recordings).href,
  ADMIN_ACTOR: 'ana',
});

test('nothing of an erased patient is left anywhere, nothing else is touched, and all counts stay', async () => {
  const known = await aKnownPatient(api, 30);
  const other = { patientName: 'Rui Costa', patientPhone: OTHER_PHONE, patientNotes: 'left knee' };
  const rui = appointmentIn(
    await client.post('/v1/appointments', bookingBody(clinic, inHours(40), other), {}),
  );
  const [before, hash] = [await countsOf(api.database, 'recall'), await hashOf(known.appointmentId)];
  const stored = await everythingStored(api.database, recordings);
  for (const trace of [...TRACES, RECEIVER_SAID, hash]) expect(stored).toContain(trace);
  expect(await recordingsStored(recordings)).toBe(1);

  const erased = await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', PHONE));
  expect(erased).toEqual({
    appointments: 2,
    calls: 2,
    callsKept: 0,
    recordings: 1,
    events: expect.any(Number),
    npsResponses: 1,
    triageForms: 1,
    recalls: 1,
    keptAnswers: 2,
    kept: ['appointments', 'calls', 'accessLog', 'backups'].map((what) => ({
      what,
      why: expect.any(String),
    })),
  });
  const left = await everythingStored(api.database, recordings);
  for (const trace of [...TRACES, RECEIVER_SAID]) expect(left).not.toContain(trace);
  // Only the event that tells receivers whom to erase names the patient.
  expect(left.split('\n').filter((line) => line.includes(hash))).toEqual([
    expect.stringContaining('"type":"patient.erased"'),
  ]);
  expect(await recordingsStored(recordings)).toBe(0);
  // The event that announces the erasure, and its delivery, are new.
  const isNew = ({ name }: Count) => ['webhook_event', 'webhook_delivery'].includes(name);
  const counted = before.map((count) => (isNew(count) ? { ...count, rows: count.rows + 1 } : count));
  expect(await countsOf(api.database, 'recall')).toEqual(counted);

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
  const { kept: _kept, ...counts } = erased;
  expect(audit).toEqual([{ actor: 'operator:ana', details: counts }]);

  const again = await admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', PHONE);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringMatching(/^Nothing is stored about/)]);
});

test('a phone that was sent with its trunk zero is found and erased without it', async () => {
  const [long, short] = ['+4402079460018', '+442079460018'];
  const { id } = appointmentIn(
    await client.post('/v1/appointments', bookingBody(clinic, inHours(62), { patientPhone: long })),
  );
  for (const patientPhone of [long, short]) {
    const { body } = await client.post('/v1/appointments/search', { patientPhone });
    expect(body['items']).toMatchObject([{ id }]);
  }
  const erased = await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', short));
  expect(erased).toMatchObject({ appointments: 1 });
});

test('the command line reads a phone as people write it', async () => {
  const patientPhone = '+351968889991';
  await client.post('/v1/appointments', bookingBody(clinic, inHours(64), { patientPhone }));
  const ofTenant = ['--tenant', clinic.tenantId];
  for (const written of ['+351 968-889-991', '00351 968 889 991', '968 889 991', 'tel:+351968889991']) {
    const found = await answerOf(admin('patient', 'export', ...ofTenant, '--phone', written));
    expect([written, found['appointments']]).toMatchObject([written, [{ patientName: 'Ana Martins' }]]);
  }
  expect(await admin('patient', 'erase', ...ofTenant, '--phone', 'none')).toMatchObject({ exitCode: 2 });
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

const HOUSEHOLD = '+351968887776';

async function booked(hour: number, changes: Record<string, unknown>, headers: Record<string, string> = {}) {
  const body = bookingBody(api.clinic, inHours(hour), { patientPhone: HOUSEHOLD, ...changes });
  return appointmentIn(await api.client.post('/v1/appointments', body, headers));
}

async function recalledFor(appointment: { patientPhoneHash: string; startsAt: string }, number?: string) {
  const { patientPhoneHash, startsAt: lastVisitAt } = appointment;
  await api.database.write(async (em) => {
    await em.execute(
      'INSERT INTO recall (tenant_id, patient_phone_hash, last_visit_at, created_at) VALUES (?, ?, ?, now())',
      [tenantId, patientPhoneHash, lastVisitAt],
    );
    const data = {
      patientPhoneHash,
      patientExternalId: number ?? null,
      lastVisitAt,
      daysSinceLastVisit: 200,
    };
    await recordEvent(
      em,
      { tenant: { id: tenantId, name: 'x' }, type: 'patient.recall_due', data },
      asOperator(),
    );
  });
}

async function recallsTold(): Promise<{ lastVisitAt: string; patientPhoneHash: string }[]> {
  const events = await storedEvents(api.database, { tenantId, type: 'patient.recall_due' });
  return events.map(({ body }) => (JSON.parse(body ?? '') as { data: never }).data);
}

test('of a household that shares a phone a name erases one, whatever its accents, case and spaces, and leaves the others', async () => {
  const key = { 'idempotency-key': 'of-the-mother' };
  const mother = await booked(200, { patientName: 'Zélia Quartzo' }, key);
  const child = await booked(201, { patientName: 'Xistovaldo Quartzo', patientNotes: 'xylitol' });
  const cameToo = await booked(202, { patientName: 'xistovaldo  QUÁRTZO' });
  for (const { id } of [mother, child]) await client.patch(`/v1/appointments/${id}`, { status: 'attended' });
  await recalledFor(mother);
  await recalledFor(child);
  const callId = await aStartedCall(client, { fromNumber: HOUSEHOLD });
  await client.post(`/v1/calls/${callId}/events`, { events: [aSpeech(0, { transcript: 'for us all' })] });
  const [motherNow, callNow] = [
    (await client.get(`/v1/appointments/${mother.id}`)).body,
    (await client.get(`/v1/calls/${callId}`)).body,
  ];

  const whose = ['--tenant', clinic.tenantId, '--phone', HOUSEHOLD, '--name', 'Xístovaldoquartzo'];
  const given = await answerOf(admin('patient', 'export', ...whose));
  expect((given['appointments'] as Json[]).map(({ id }) => id)).toEqual([child.id, cameToo.id]);
  expect(given).toMatchObject({ calls: [], recalls: [{ lastVisitAt: child.startsAt }] });
  const erased = await answerOf(admin('patient', 'erase', ...whose));
  expect(erased).toMatchObject({ appointments: 2, calls: 0, callsKept: 1, recalls: 1, keptAnswers: 0 });

  for (const { id } of [child, cameToo]) {
    expect((await client.get(`/v1/appointments/${id}`)).body).toMatchObject({ patientName: 'erased' });
  }
  const left = await everythingStored(api.database, recordings);
  for (const trace of ['Xistovaldo', 'xistovaldo', 'xylitol']) expect(left).not.toContain(trace);
  expect((await client.get(`/v1/appointments/${mother.id}`)).body).toEqual(motherNow);
  expect((await client.get(`/v1/calls/${callId}`)).body).toEqual(callNow);
  const told = await recallsTold();
  expect(told.find(({ lastVisitAt }) => lastVisitAt === mother.startsAt)?.patientPhoneHash).toBe(
    mother.patientPhoneHash,
  );
  expect(told.find(({ lastVisitAt }) => lastVisitAt === child.startsAt)?.patientPhoneHash).not.toBe(
    child.patientPhoneHash,
  );
  const again = bookingBody(clinic, inHours(200), { patientPhone: HOUSEHOLD, patientName: 'Zélia Quartzo' });
  const repeated = await client.post('/v1/appointments', again, key);
  expect([repeated.status, repeated.body['id']]).toEqual([201, mother.id]);

  const rest = await answerOf(admin('patient', 'erase', '--tenant', clinic.tenantId, '--phone', HOUSEHOLD));
  expect(rest).toMatchObject({ appointments: 1, calls: 1, callsKept: 0, recalls: 1, keptAnswers: 1 });
});

test('a patient is erased by the number of the clinic’s system: under every phone, and where the number was not yet said', async () => {
  const [OLD_PHONE, NEW_PHONE] = ['+351968880001', '+351968880002'];
  const named = (patientPhone: string, patientExternalId?: string, patientName = 'Quirino Pax') => ({
    patientName,
    patientPhone,
    ...(patientExternalId && { patientExternalId }),
  });
  const first = await booked(220, named(OLD_PHONE, 'q-1'));
  const moved = await booked(221, named(NEW_PHONE, 'q-1', 'Quirino P. Pax'));
  const byPhone = await booked(222, named(OLD_PHONE, undefined, 'QUIRINO PAX'));
  const son = await booked(223, named(OLD_PHONE, 'q-2'));
  const wife = await booked(224, named(NEW_PHONE, undefined, 'Rita Pax'));
  const other = await booked(225, named('+351968880003', 'Q-1'));
  await client.patch(`/v1/appointments/${first.id}`, { status: 'attended' });
  await recalledFor(first, 'q-1');
  const kept = async () =>
    Promise.all([son, wife, other].map(async ({ id }) => (await client.get(`/v1/appointments/${id}`)).body));
  const before = await kept();

  const whose = ['--tenant', clinic.tenantId, '--external-id', 'q-1'];
  const given = await answerOf(admin('patient', 'export', ...whose));
  expect((given['appointments'] as Json[]).map(({ id }) => id)).toEqual([first.id, moved.id, byPhone.id]);
  expect(given).toMatchObject({ patientExternalId: 'q-1', patientPhoneHash: null });
  const erased = await answerOf(admin('patient', 'erase', ...whose));
  expect(erased).toMatchObject({ appointments: 3, recalls: 1 });
  for (const { id } of [first, moved, byPhone]) {
    const left = await client.get(`/v1/appointments/${id}`);
    expect(left.body).toMatchObject({ patientName: 'erased', patientExternalId: null });
  }
  expect(await kept()).toEqual(before);
  expect((await recallsTold()).map(({ patientPhoneHash }) => patientPhoneHash)).not.toContain(
    first.patientPhoneHash,
  );
});

test('an erasure by name that broke off finds the rest when it is begun again', async () => {
  const [HOME, WORK] = ['+351968880011', '+351968880012'];
  const who = { patientName: 'Vasco Uva', patientExternalId: 'v-1' };
  const ids = [
    await booked(230, { patientPhone: HOME, ...who }),
    await booked(231, { patientPhone: WORK, ...who }),
    await booked(232, { patientPhone: WORK, patientName: 'vasco uva' }),
  ].map(({ id }) => id);
  const patientPhoneHash = await hashOf(ids[0] ?? '');
  const patient = { tenantId: clinic.tenantId, patientPhoneHashes: [patientPhoneHash], name: 'Vasco Uva' };
  let left = 2;
  const breaking = {
    em() {
      const em = api.database.em();
      const transactional = em.transactional.bind(em);
      return Object.assign(em, {
        transactional: (...work: Parameters<typeof transactional>) => {
          if (left-- === 0) throw new Error('killed');
          return transactional(...work);
        },
      });
    },
  };
  const erasure = { context: asOperator() };
  await expect(erasePatient({ ...erasure, database: breaking }, { patient })).rejects.toThrow('killed');
  const { erased } = await erasePatient({ ...erasure, database: api.database }, { patient });
  expect(erased.appointments).toBe(1);
  for (const id of ids) {
    expect((await client.get(`/v1/appointments/${id}`)).body).toMatchObject({ patientName: 'erased' });
  }
});
