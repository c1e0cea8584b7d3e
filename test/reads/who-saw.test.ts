import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { insertPatientReads } from '../../db/patient-reads/patient-reads.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { adminWith, answerOf, itemsOf, type Json } from '../admin/admin-runs.ts';
import { aKnownPatient, PHONE } from '../patients/known-patient.ts';
import { appointmentIn, createApiClient } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';
import { forSuite } from '../support/for-suite.ts';

const KEY = Buffer.alloc(32, 9);

const { path: recordings } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-who-saw-')));
const links = createRecordingLinks([KEY], 'http://api.test');
const api = await suiteApi({ recordings: { storage: await openFileStorage(recordings), links } });
const admin = adminWith({
  DATABASE_URL: api.databaseUrl,
  SERVICE_MODE: 'test',
  PHONE_HASH_KEY: Buffer.alloc(32, 7).toString('base64'),
  ENCRYPTION_KEY: KEY.toString('base64'),
  RECORDINGS_URL: pathToFileURL(recordings).href,
});
const known = await aKnownPatient(api, 30);
const client = createApiClient(api.url, await api.keyOf());
/** The key of a reader, who has read one appointment, the call and its recording. */
const reader = `key:${String((await client.get('/v1/api-keys/me')).body['id'])}`;
await client.get(`/v1/appointments/${known.movedId}`);
await client.get(`/v1/calls/${known.callId}`);
await until('both entries', async () => (await rowsOf(reader)).length === 2);

function rowsOf(actor: string): Promise<object[]> {
  return api.database.em().execute<object[]>('SELECT * FROM patient_read WHERE actor = ?', [actor]);
}

function whoSaw(patient: string, ...more: string[]): Promise<Json[]> {
  return itemsOf(admin('audit', 'list', '--patient', patient, ...more));
}

const ofTenant = () => ['--tenant', api.clinic.tenantId];
const READ = ['recording.link_issued', 'transcript.read', 'appointment.read'];

test.each([
  ['the phone', () => [PHONE, ...ofTenant()]],
  ['the phone with spaces', () => [PHONE.replace('351', '351 '), ...ofTenant()]],
  ['the number of the clinic’s other system', () => ['zephyr-7', ...ofTenant()]],
  ['the id of an appointment', () => [known.appointmentId]],
] as const)('who saw a patient is told by %s, with recordings', async (_, named) => {
  const [patient = '', ...more] = named();
  const items = (await whoSaw(patient, ...more)).filter(({ actor }) => actor === reader);
  expect(items.map(({ action }) => String(action)).toSorted()).toEqual(READ.toSorted());
  const seen = items.find(({ action }) => action === 'appointment.read');
  expect(seen).toMatchObject({
    actorName: 'test',
    tenantId: api.clinic.tenantId,
    subjectId: known.movedId,
    requestId: expect.any(String),
  });
});

test('nothing of other patients and clinics is told, and pages hold their place', async () => {
  const { client, clinic } = api;
  const other = appointmentIn(await client.post('/v1/appointments', bookingBody(clinic, inHours(60)), {}));
  await client.get(`/v1/appointments/${other.id}`);
  await until('its own entry, and no other', async () => (await whoSaw(other.id)).length === 1);
  const { tenantId } = await aClinic(api.database);
  expect(await whoSaw(PHONE, '--tenant', tenantId)).toEqual([]);
  const all = await whoSaw(PHONE, ...ofTenant());
  const pages: Json[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const at = cursor === undefined ? [] : ['--cursor', cursor];
    const page = await answerOf(
      admin('audit', 'list', '--patient', PHONE, ...ofTenant(), '--limit', '1', ...at),
    );
    pages.push(...(page['items'] as Json[]));
    cursor = page['nextCursor'] as string | null;
  }
  expect(pages).toEqual(all);
});

test('an ambiguous patient is refused', async () => {
  for (const words of [
    ['--patient', PHONE],
    ['--patient', PHONE, ...ofTenant(), '--action', 'patient.erased'],
  ])
    expect(await admin('audit', 'list', ...words)).toMatchObject({ exitCode: 2 });
  expect(await admin('audit', 'list', '--patient', uuidv7())).toMatchObject({ exitCode: 1 });
});

test('what support looked at is told with the rest', async () => {
  const { tenantId } = api.clinic;
  const support = `person:${uuidv7()}`;
  const details = { requestId: null, details: {} };
  const viewed = { action: 'support.patient_viewed' as const, subjectId: known.appointmentId };
  await api.database.em().insert(AuditEventEntity, { tenantId, actor: support, ...viewed, ...details });
  expect((await whoSaw(known.movedId)).map(({ actor }) => actor)).toContain(support);
});

test('the export of a patient lists who saw them; erased, the ids of who saw whom stay, and no one finds them by the patient', async () => {
  const exported = await answerOf(admin('patient', 'export', ...ofTenant(), '--phone', PHONE));
  const seen = exported['seenBy'] as Json[];
  expect(
    seen
      .filter(({ actor }) => actor === reader)
      .map(({ action }) => String(action))
      .toSorted(),
  ).toEqual(READ.toSorted());
  const before = await rowsOf(reader);
  await answerOf(admin('patient', 'erase', ...ofTenant(), '--phone', PHONE));
  expect(await whoSaw(PHONE, ...ofTenant())).toEqual([]);
  expect((await whoSaw(known.movedId)).map(({ actor }) => actor)).toContain(reader);
  expect(await rowsOf(reader)).toEqual(before);
});

test('the export of a clinic holds its log; repeated entries are listed once', async () => {
  const { tenantId } = await aClinic(api.database);
  const subjectIds = [uuidv7()];
  const read = { id: uuidv7(), tenantId, actor: 'key:x', kind: 'appointment' as const, subjectIds };
  for (let times = 0; times < 2; times += 1)
    await insertPatientReads(api.database.em(), [{ ...read, requestIds: [] }]);
  const exported = await answerOf(admin('tenant', 'export', '--tenant', tenantId));
  expect(exported['patientReads']).toMatchObject([{ actor: 'key:x', kind: 'appointment', subjectIds }]);
});
