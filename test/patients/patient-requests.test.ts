import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import { createApiClient } from '../support/api-client.ts';
import { anEndpoint } from '../support/clinic.ts';
import { forSuite } from '../support/for-suite.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { until } from '../support/until.ts';
import { everythingStored } from './everything-stored.ts';
import { aKnownPatient, PATIENT, PHONE, RECEIVER_SAID, TRACES } from './known-patient.ts';

const { path: recordings } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-requests-')));
const links = createRecordingLinks([Buffer.alloc(32, 9)], 'http://api.test');
const api = await suiteApi({ recordings: { storage: await openFileStorage(recordings), links } });
const { client, clinic, database } = api;
const { tenantId } = clinic;
await anEndpoint(database, tenantId);

const EXPORT = '/v1/patients/export';
const ERASE = '/v1/patients/erase';

test('a patient’s data is exported and erased by the API, and connected systems are told', async () => {
  const known = await aKnownPatient(api, 30);
  // It is written once a second.
  await until(
    'the access log',
    async () =>
      (await database.em().execute(`SELECT FROM patient_read WHERE kind = 'appointment'`)).length > 0,
  );
  const exported = await client.post(EXPORT, { patientPhone: PHONE, patientName: 'zulmira  ZORRO' });
  expect(exported.status).toBe(200);
  for (const trace of TRACES.filter((each) => !['zodiac', 'zeppelin', PHONE].includes(each)))
    expect(exported.text).toContain(trace);
  expect(exported.body).toMatchObject({
    appointments: [{ id: known.appointmentId, npsResponse: { score: 9 } }, { id: known.movedId }],
    calls: [{ id: known.callId, recording: { contentType: 'audio/wav' } }, { id: known.calledBackId }],
    recalls: [{}],
    seenBy: expect.arrayContaining([expect.objectContaining({ action: 'appointment.read' })]),
  });

  const key = { 'idempotency-key': 'erase-zulmira' };
  const erased = await client.post(ERASE, { patientPhone: PHONE }, key);
  expect(erased.body).toEqual({
    erased: {
      appointments: 2,
      calls: 2,
      callsKept: 0,
      recordings: 1,
      events: expect.any(Number),
      npsResponses: 1,
      triageForms: 1,
      recalls: 1,
      keptAnswers: 2,
    },
    kept: ['appointments', 'calls', 'accessLog', 'backups'].map((what) => ({
      what,
      why: expect.any(String),
    })),
  });
  const left = await everythingStored(database, recordings);
  for (const trace of [...TRACES, RECEIVER_SAID]) expect(left).not.toContain(trace);
  const again = await client.post(ERASE, { patientPhone: PHONE }, key);
  expect([again.status, again.body]).toEqual([200, erased.body]);
  expect(await announced()).toEqual([
    { patientPhoneHash: expect.stringMatching(/^[0-9a-f]{64}$/), patientExternalId: null },
  ]);
  const actions = await database
    .em()
    .execute<{ action: string }[]>(
      `SELECT action FROM audit_event WHERE action LIKE 'patient.%' ORDER BY id`,
    );
  expect(actions.map(({ action }) => action)).toEqual(['patient.exported', 'patient.erased']);
});

async function announced(): Promise<unknown[]> {
  const events = await storedEvents(database, { tenantId, type: 'patient.erased' });
  return events.map(({ body }) => (JSON.parse(body ?? '') as { data: unknown }).data);
}

test.each([
  [{}, ['body.patientPhone']],
  [{ patientPhone: PHONE, patientExternalId: 'zephyr-7' }, ['body.patientExternalId']],
  [{ patientExternalId: 'zephyr-7', patientName: PATIENT.patientName }, ['body.patientName']],
  [{ patientPhone: '912345678' }, ['body.patientPhone']],
])('%j names no patient', async (body, paths) => {
  for (const path of [EXPORT, ERASE]) {
    const { status, body: refusal } = await client.post(path, body);
    expect(status).toBe(422);
    expect(refusal['errors']).toMatchObject(paths.map((each) => ({ path: each })));
  }
});

test('who is not stored is not found, and no one is told', async () => {
  const before = await announced();
  for (const path of [EXPORT, ERASE]) {
    for (const body of [{ patientExternalId: 'no-one' }, { patientPhone: '+351960000001' }]) {
      const { status, text } = await client.post(path, body);
      expect([status, text]).toEqual([404, expect.stringContaining('not_found')]);
      expect(text).not.toContain('+351960000001');
    }
  }
  expect(await announced()).toEqual(before);
});

test.each(['pms', 'reporting'] as const)('a key of the preset %s may do neither', async (preset) => {
  const limited = createApiClient(api.url, await api.keyOf({ scopes: SCOPE_PRESETS[preset] }));
  for (const path of [EXPORT, ERASE]) {
    expect((await limited.post(path, { patientExternalId: 'zephyr-7' })).status).toBe(403);
  }
});
