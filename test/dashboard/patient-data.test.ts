import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileStorage } from '../../adapters/recordings/open-recording-storage.ts';
import { DATA_WORDS } from '../../dashboard/patients/data-words.ts';
import { PATIENT_WORDS } from '../../dashboard/patients/words.ts';
import { createRecordingLinks } from '../../domain/calls/recording-link.ts';
import { everythingStored } from '../patients/everything-stored.ts';
import { aKnownPatient, PATIENT, RECEIVER_SAID, TRACES } from '../patients/known-patient.ts';
import { createApiClient } from '../support/api-client.ts';
import { anEndpoint, book, inHours } from '../support/clinic.ts';
import { forSuite } from '../support/for-suite.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import type { Visitor } from '../support/pages/visitor.ts';
import { startTestApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { dump } from '../support/stored/stored-texts.ts';
import { until } from '../support/until.ts';
import { aCall, phoneHash } from './calls/a-call.ts';

const WORDS = DATA_WORDS.en;

const { path: recordings } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-data-')));
const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { tenantId } = clinic;
const links = createRecordingLinks([Buffer.alloc(32, 9)], 'http://api.test');
const storage = await openFileStorage(recordings);
const api = await forSuite(
  startTestApi(
    { recordings: { storage, links } },
    { url: dashboard.databaseUrl, [Symbol.asyncDispose]: async () => undefined },
  ),
);
const client = createApiClient(api.url, await api.keyOf({ tenantId }));
await anEndpoint(database, tenantId);
const ana = await dashboard.person('ana');

const hashOf = (e164: string) => phoneHash({ tenantId, e164 });

/** The page of the data behind the link that a search shows. */
async function found(visitor: Visitor, asked: string, link: RegExp): Promise<string> {
  await visitor.get('/patients');
  const { text } = await visitor.submit('/patients', { asked });
  return link.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

const OF_PATIENT = /href="(\/appointments\/[^"]*\/patient)"/;
const OF_PHONE = /href="(\/patients\/phone[^"]*)"/;

async function actions(): Promise<string[]> {
  const rows = await database
    .em()
    .execute<{ action: string }[]>(
      `SELECT action FROM audit_event WHERE action IN ('patient.exported', 'patient.erased') ORDER BY id`,
    );
  return rows.map(({ action }) => action);
}

async function erasedEvents(): Promise<number> {
  return (await storedEvents(database, { tenantId, type: 'patient.erased' })).length;
}

test('an owner exports and erases a patient, and nothing is found afterwards', async () => {
  const known = await aKnownPatient({ ...api, client, clinic, database }, 30);
  const address = await found(ana, 'zulmira zorro', OF_PATIENT);
  const page = await ana.get(address);
  for (const shown of [PATIENT.patientName, WORDS.export.button, WORDS.erase.button])
    expect(page.text).toContain(shown);

  const file = await ana.get(`${address}/export`);
  expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="patient-[\d-]+\.json"$/);
  expect(JSON.parse(file.text)).toMatchObject({
    appointments: [{ id: known.appointmentId, npsResponse: { score: 9 } }, { id: known.movedId }],
    calls: [{ id: known.callId }, { id: known.calledBackId }],
  });
  await until('the export in the access log', async () => {
    const reads = await database
      .em()
      .execute<{ subject_ids: string[] }[]>(`SELECT subject_ids FROM patient_read WHERE kind = 'transcript'`);
    return reads.some(({ subject_ids: ids }) => ids.includes(known.calledBackId));
  });

  await ana.get(address);
  const refused = await ana.submit(`${address}/erase`, { confirmation: 'Zulmira' });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(WORDS.erase.byName.wrong)]);
  expect([await actions(), await erasedEvents()]).toEqual([['patient.exported'], 0]);

  const done = await ana.submit(`${address}/erase`, { confirmation: 'zulmira  ZORRO' });
  expect([done.status, done.text]).toEqual([200, expect.stringContaining(WORDS.result.done)]);
  expect(done.url.pathname).toMatch(/^\/patients\/erased\//);
  for (const what of ['appointments', 'calls', 'accessLog', 'backups'] as const)
    expect(done.text).toContain(WORDS.result.kept[what].slice(0, 30));
  expect(done.text).not.toContain(WORDS.result.kept.callsOfSharedPhones);
  expect(done.text).toContain(WORDS.result.recordings);
  expect([await actions(), await erasedEvents()]).toEqual([['patient.exported', 'patient.erased'], 1]);

  const traces = [...TRACES, RECEIVER_SAID];
  const stolen = await dump(database);
  expect(traces.filter((trace) => stolen.includes(trace))).toEqual([]);
  // With the keys only the event can be read that tells other systems whom to erase.
  const left = await everythingStored(database, recordings);
  expect(traces.filter((trace) => left.includes(trace))).toEqual(['zephyr']);
  const [event] = await storedEvents(database, { tenantId, type: 'patient.erased' });
  expect(left.replace(event?.body ?? '', '')).not.toContain('zephyr');
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    data: { patientPhoneHash: null, patientExternalId: 'zephyr-7' },
  });
  const again = await ana.get(address);
  expect([again.status, again.text]).toEqual([404, expect.stringContaining(WORDS.nothing)]);
});

test('a caller without an appointment is found, exported and erased by phone', async () => {
  const phone = '+351961888777';
  const callId = await aCall(dashboard, { from: phone, outcome: 'voicemail' });
  const address = await found(ana, '961 888 777', OF_PHONE);
  const asked = address.split('?')[1] ?? '';
  expect(address).not.toContain('961');
  expect((await ana.get(address)).text).toContain(WORDS.noName);
  const file = await ana.get(`/patients/phone/export?${asked}`);
  expect(JSON.parse(file.text)).toMatchObject({ appointments: [], calls: [{ id: callId }] });
  await ana.get(address);
  const refused = await ana.submit('/patients/phone/erase', { confirmation: '961 888 778' });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(WORDS.erase.byPhone.wrong)]);
  const done = await ana.submit('/patients/phone/erase', { confirmation: phone });
  expect(done.text).toContain(WORDS.result.done);
  expect(await everythingStored(database, recordings)).not.toContain(phone);
});

test('calls of a phone that a family shares stay with one patient, and go with the phone', async () => {
  const phone = '+351961777666';
  const patientPhoneHash = hashOf(phone);
  for (const [hour, patientName] of [
    [100, 'Rui Alves'],
    [102, 'Eva Alves'],
  ] as const)
    await book(database, clinic, { patientName, patientPhoneHash, startsAt: inHours(hour) });
  await aCall(dashboard, { from: phone, outcome: 'voicemail' });
  const address = await found(ana, 'Rui Alves', OF_PATIENT);
  expect((await ana.get(address)).text).toContain(WORDS.callsKept);
  const one = await ana.submit(`${address}/erase`, { confirmation: 'Rui Alves' });
  expect(one.text).toContain(WORDS.result.kept.callsOfSharedPhones.slice(0, 40));

  const all = await found(ana, phone, OF_PHONE);
  expect((await ana.get(all)).text).toContain('Eva Alves');
  const whole = await ana.submit('/patients/phone/erase', { confirmation: phone });
  expect(whole.text).toContain(WORDS.result.done);
  expect((await ana.get(all)).status).toBe(404);
});

test('what was added after the page was shown is shown before it is erased', async () => {
  const patient = { patientName: 'Ivo Pinto', patientPhoneHash: hashOf('+351961555444') };
  const { id } = await book(database, clinic, { ...patient, startsAt: inHours(110) });
  const address = `/appointments/${id}/patient`;
  await ana.get(address);
  await book(database, clinic, { ...patient, startsAt: inHours(112) });
  const before = await erasedEvents();
  const outdated = await ana.submit(`${address}/erase`, { confirmation: 'Ivo Pinto' });
  expect([outdated.status, await erasedEvents()]).toEqual([409, before]);
  const done = await ana.submit(`${address}/erase`, { confirmation: 'Ivo Pinto' });
  expect([done.status, await erasedEvents()]).toEqual([200, before + 1]);
});

test('only owners are led there', async () => {
  const { id } = await book(database, clinic, { patientName: 'Only Owners', startsAt: inHours(120) });
  for (const name of ['miguel', 'rita'] as const) {
    const visitor = await dashboard.person(name);
    await visitor.get('/patients');
    const { text } = await visitor.submit('/patients', { asked: 'Only Owners' });
    expect([text.includes('Only Owners'), text.includes(PATIENT_WORDS.en.data)]).toEqual([true, false]);
    expect((await visitor.get(`/appointments/${id}/patient/export`)).status).toBe(403);
  }
});

test('a patient of another clinic is not found, and a question of another session neither', async () => {
  const phone = '+351961444333';
  await aCall(dashboard, { from: phone, outcome: 'voicemail' });
  const address = await found(ana, phone, OF_PHONE);
  const other = await dashboard.person('ana');
  const { url } = await other.get(address);
  expect(`${url.pathname}${url.search}`).toBe('/patients');
});
