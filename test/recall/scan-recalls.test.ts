import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { aClinic, anEndpoint, change } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { anActivityEnvironment, aVisit, patient, recallsOf, scanAt } from './recall-clinic.ts';
import { everyHashOfName } from '../../domain/patients/name-hashes.ts';

const database = await suiteDatabase();
afterEach(async () => {
  await database.em().execute('TRUNCATE tenant CASCADE');
});

test('six months after the last visit, at 09:00 in the clinic, the recall is sent, and never again', async () => {
  const clinic = await aClinic(database);
  await anEndpoint(database, clinic.tenantId, ['patient.*']);
  await aVisit(database, clinic, { patient: 'Maria', at: '2026-03-02T09:30:00Z' });
  // Lisbon is an hour ahead of UTC in September.
  await scanAt(database, '2026-09-01T20:00:00Z');
  await scanAt(database, '2026-09-02T07:59:59Z');
  expect(await recallsOf(database, clinic)).toEqual([]);
  expect(await scanAt(database, '2026-09-02T08:00:00Z')).toMatchObject({ recalls: 1, clinics: 1 });
  const recall = {
    patientPhoneHash: patient('Maria'),
    patientExternalId: null,
    lastVisitAt: '2026-03-02T09:30:00.000Z',
    daysSinceLastVisit: 184,
  };
  expect(await recallsOf(database, clinic)).toEqual([recall]);
  for (const at of ['2026-09-02T08:15:00Z', '2026-09-03T08:00:00Z', '2027-05-01T08:00:00Z']) {
    await scanAt(database, at);
  }
  expect(await recallsOf(database, clinic)).toEqual([recall]);
  const { rows } = await sql<{ status: string; asked: number }>`
    SELECT status, (SELECT count(*)::integer FROM outbox WHERE message ->> 'deliveryId' = delivery.id::text) AS asked
    FROM webhook_delivery delivery
    WHERE tenant_id = ${clinic.tenantId}
  `.execute(database.em().getKysely());
  expect(rows).toEqual([{ status: 'pending', asked: 1 }]);
});

test('another visit brings another recall, six months after it', async () => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: 'Maria', at: '2026-01-10T10:00:00Z' });
  await scanAt(database, '2026-07-10T10:00:00Z');
  await aVisit(database, clinic, { patient: 'Maria', at: '2026-08-01T10:00:00Z' });
  await scanAt(database, '2027-01-31T10:00:00Z');
  expect(await recallsOf(database, clinic)).toHaveLength(1);
  await scanAt(database, '2027-02-01T10:00:00Z');
  const recalls = await recallsOf(database, clinic);
  expect(recalls.map(({ lastVisitAt }) => lastVisitAt)).toEqual([
    '2026-01-10T10:00:00.000Z',
    '2026-08-01T10:00:00.000Z',
  ]);
});

test('who has an appointment, or never came, is not called; who cancelled is, the next day', async () => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: 'Rui', at: '2026-01-10T10:00:00Z' });
  const next = await aVisit(database, clinic, {
    patient: 'Rui',
    at: '2026-12-01T10:00:00Z',
    status: 'confirmed',
  });
  for (const status of ['no_show', 'cancelled', 'rescheduled'] as const) {
    await aVisit(database, clinic, { patient: status, at: '2026-01-10T10:00:00Z', status });
  }
  // Attended long ago, missed lately: the last visit is the attended one.
  await aVisit(database, clinic, { patient: 'Eva', at: '2025-11-01T10:00:00Z' });
  await aVisit(database, clinic, { patient: 'Eva', at: '2026-06-01T10:00:00Z', status: 'no_show' });
  await scanAt(database, '2026-07-10T10:00:00Z');
  expect((await recallsOf(database, clinic)).map((recall) => recall.patientPhoneHash)).toEqual([
    patient('Eva'),
  ]);
  await sql`UPDATE appointment SET status = 'cancelled' WHERE id = ${next}`.execute(
    database.em().getKysely(),
  );
  await scanAt(database, '2026-07-10T20:00:00Z');
  expect(await recallsOf(database, clinic)).toHaveLength(1);
  await scanAt(database, '2026-07-11T08:00:00Z');
  expect((await recallsOf(database, clinic))[1]).toMatchObject({ patientPhoneHash: patient('Rui') });
});

test('the same patient of two clinics is called by each of them on its own', async () => {
  const [one, other] = [await aClinic(database), await aClinic(database)];
  await aVisit(database, one, { patient: 'Maria', at: '2026-01-10T10:00:00Z' });
  await aVisit(database, other, { patient: 'Maria', at: '2026-02-10T10:00:00Z' });
  await scanAt(database, '2026-07-10T10:00:00Z');
  expect(await recallsOf(database, one)).toHaveLength(1);
  expect(await recallsOf(database, other)).toEqual([]);
  await scanAt(database, '2026-08-10T10:00:00Z');
  expect(await recallsOf(database, other)).toHaveLength(1);
});

test.each([
  // 30 and 45 minutes; before and after the clocks change; both sides of the date line.
  ['Asia/Kathmandu', '2026-07-10T03:15:00Z'],
  ['Asia/Kolkata', '2026-07-10T03:30:00Z'],
  ['Pacific/Chatham', '2026-07-09T20:15:00Z'],
  ['Pacific/Chatham', '2027-01-09T19:15:00Z'],
  ['America/St_Johns', '2026-07-10T11:30:00Z'],
  ['Australia/Lord_Howe', '2027-01-09T22:00:00Z'],
  ['Pacific/Kiritimati', '2026-07-09T19:00:00Z'],
  ['Pacific/Pago_Pago', '2026-07-10T20:00:00Z'],
  ['Europe/Lisbon', '2026-03-29T08:00:00Z'],
  ['Europe/Lisbon', '2026-10-25T09:00:00Z'],
])('in %s the day’s quarter-hourly scans send from %s on', async (timezone, nine) => {
  const clinic = await aClinic(database, { config: { timezone } });
  await aVisit(database, clinic, { patient: 'Maria', at: '2025-01-10T10:00:00Z' });
  const sentAt: string[] = [];
  const nineMs = Date.parse(nine);
  for (let ms = nineMs - 8 * 3_600_000; ms <= nineMs + 2 * 3_600_000; ms += 900_000) {
    const { recalls } = await scanAt(database, new Date(ms));
    if (recalls > 0) sentAt.push(new Date(ms).toISOString());
  }
  // What an earlier local day left open would have been sent right at the beginning.
  expect(sentAt).toEqual([new Date(nineMs).toISOString()]);
});

test('after an outage of weeks all that came due meanwhile is sent, but not at night', async () => {
  const clinic = await aClinic(database);
  for (const day of ['01', '10', '20']) {
    await aVisit(database, clinic, { patient: day, at: `2026-01-${day}T10:00:00Z` });
  }
  await scanAt(database, '2026-06-30T10:00:00Z');
  await scanAt(database, '2026-07-21T02:00:00Z');
  expect(await recallsOf(database, clinic)).toEqual([]);
  await scanAt(database, '2026-07-21T22:00:00Z');
  const days = (await recallsOf(database, clinic)).map(({ daysSinceLastVisit }) => daysSinceLastVisit);
  expect(days.toSorted((a, b) => a - b)).toEqual([182, 192, 201]);
});

test('a clinic of many patients is searched in small transactions that are taken up where they ended', async () => {
  const clinic = await aClinic(database);
  const names = Array.from({ length: 25 }, (_, index) => index);
  for (const name of names) await aVisit(database, clinic, { patient: name, at: '2026-01-10T10:00:00Z' });
  const environment = anActivityEnvironment();
  // The worker stops after the third page.
  let pages = 0;
  environment.on('heartbeat', () => (pages += 1) === 3 && environment.cancel('WORKER_SHUTDOWN'));
  const at = '2026-07-10T10:00:00Z';
  const stopped = await scanAt(database, at, { patientsAPage: 4, environment });
  expect(stopped).toMatchObject({ isFinished: false, recalls: 12, clinics: 0 });
  expect(await recallsOf(database, clinic)).toHaveLength(12);
  const rest = await scanAt(database, at, { patientsAPage: 4, from: stopped.from });
  expect(rest).toMatchObject({ isFinished: true, recalls: 13, clinics: 1 });
  const called = (await recallsOf(database, clinic)).map((recall) => recall.patientPhoneHash);
  expect(called.toSorted()).toEqual(names.map(patient).toSorted());
});

test('a search that an outage has cut off counts for its own day, and the next day’s follows at once', async () => {
  const clinic = await aClinic(database);
  const [nameHash] = everyHashOfName(await database.ciphers.of(clinic.tenantId), 'Maria Santos');
  const { rows } = await sql<{ nr: number }>`
    SELECT nr::integer
    FROM unnest(${[patient(1), patient(2)]}::text[]) WITH ORDINALITY AS patient (hash, nr)
    ORDER BY hashed_patient_key(NULL, hash, ${nameHash})
  `.execute(database.em().getKysely());
  const [first = 0, second = 0] = rows.map(({ nr }) => nr);
  // The patient who is looked at first comes due a day later.
  await aVisit(database, clinic, { patient: first, at: '2026-01-11T10:00:00Z' });
  await aVisit(database, clinic, { patient: second, at: '2026-01-10T10:00:00Z' });
  const environment = anActivityEnvironment();
  environment.on('heartbeat', () => environment.cancel('WORKER_SHUTDOWN'));
  await scanAt(database, '2026-07-10T10:00:00Z', { patientsAPage: 1, environment });
  expect(await recallsOf(database, clinic)).toEqual([]);
  await scanAt(database, '2026-07-11T10:00:00Z', { patientsAPage: 1 });
  const called = (await recallsOf(database, clinic)).map((recall) => recall.patientPhoneHash);
  expect(called).toEqual([patient(second), patient(first)]);
});

test('several workers at once share the clinics and send nothing twice', async () => {
  const clinics = await Promise.all(Array.from({ length: 6 }, () => aClinic(database)));
  for (const clinic of clinics) {
    for (let name = 0; name < 8; name += 1) {
      await aVisit(database, clinic, { patient: name, at: '2026-01-10T10:00:00Z' });
    }
  }
  const at = '2026-07-10T10:00:00Z';
  const scans = Array.from({ length: 4 }, () => scanAt(database, at, { patientsAPage: 3 }));
  const found = await Promise.all(scans);
  // One that met another worker's lock has left the clinic to it.
  found.push(await scanAt(database, at));
  expect(found.reduce((sum, { recalls }) => sum + recalls, 0)).toBe(48);
  for (const clinic of clinics) expect(await recallsOf(database, clinic)).toHaveLength(8);
});

test('a transaction that fails takes back both the claim and the event', async () => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: 'Maria', at: '2026-01-10T10:00:00Z' });
  await sql`ALTER TABLE webhook_event ADD CONSTRAINT refused CHECK (type <> 'patient.recall_due') NOT VALID`.execute(
    database.em().getKysely(),
  );
  await expect(scanAt(database, '2026-07-10T10:00:00Z')).rejects.toThrow('refused');
  await sql`ALTER TABLE webhook_event DROP CONSTRAINT refused`.execute(database.em().getKysely());
  await scanAt(database, '2026-07-10T10:15:00Z');
  expect(await recallsOf(database, clinic)).toHaveLength(1);
});

const HOME = 'the phone of a household';
const LONG_AGO = '2026-01-10T10:00:00Z';
const DUE = '2026-07-10T10:00:00Z';

test('a child’s booking does not keep the mother from being called, who has the same phone', async () => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: HOME, name: 'Zélia Pinto', at: LONG_AGO });
  await aVisit(database, clinic, {
    patient: HOME,
    name: 'Rui Pinto',
    at: '2026-12-01T10:00:00Z',
    status: 'confirmed',
  });
  await scanAt(database, DUE);
  expect(await recallsOf(database, clinic)).toMatchObject([
    { patientPhoneHash: patient(HOME), lastVisitAt: '2026-01-10T10:00:00.000Z' },
  ]);
});

test('two of one phone who came at the same time are both called, each once', async () => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: HOME, name: 'Zélia Pinto', at: LONG_AGO });
  await aVisit(database, clinic, { patient: HOME, name: 'Rui Pinto', at: LONG_AGO });
  for (const at of [DUE, '2026-07-11T10:00:00Z']) await scanAt(database, at);
  expect(await recallsOf(database, clinic)).toHaveLength(2);
});

test.each([
  ['JOÃO  d’Ávila', 'joao d’avila'],
  ['Ana Maria', 'anamaria'],
  ['ŁUCJA', 'łucja'],
])('%s and %s of one phone are one patient', async (once, now) => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: HOME, name: once, at: LONG_AGO });
  await aVisit(database, clinic, {
    patient: HOME,
    name: now,
    at: '2026-12-01T10:00:00Z',
    status: 'confirmed',
  });
  await scanAt(database, DUE);
  expect(await recallsOf(database, clinic)).toEqual([]);
});

test('who has a number in the clinic’s own system is one patient under any phone and name', async () => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: 'old', name: 'Eva Reis', externalId: '381', at: LONG_AGO });
  await aVisit(database, clinic, {
    patient: 'new',
    name: 'Eva Lima',
    externalId: '381',
    at: '2026-03-01T10:00:00Z',
  });
  // The same phone and name, and someone else.
  await aVisit(database, clinic, {
    patient: 'new',
    name: 'Eva Lima',
    externalId: '382',
    at: '2026-12-01T10:00:00Z',
    status: 'confirmed',
  });
  await scanAt(database, DUE);
  expect(await recallsOf(database, clinic)).toEqual([]);
  await scanAt(database, '2026-09-01T10:00:00Z');
  expect(await recallsOf(database, clinic)).toMatchObject([
    { patientPhoneHash: patient('new'), patientExternalId: '381', lastVisitAt: '2026-03-01T10:00:00.000Z' },
  ]);
});

test.each([
  ['booked', 'confirmed', '2026-12-01T10:00:00Z'],
  ['came', 'attended', '2026-05-01T10:00:00Z'],
] as const)(
  'who %s by phone, without the number that older visits have, is not called',
  async (_what, status, at) => {
    const clinic = await aClinic(database);
    await aVisit(database, clinic, { patient: HOME, name: 'Eva Reis', externalId: '381', at: LONG_AGO });
    await aVisit(database, clinic, { patient: HOME, name: 'eva reis', at, status });
    await aVisit(database, clinic, { patient: HOME, name: 'Rui Reis', at: LONG_AGO });
    await aVisit(database, clinic, { patient: HOME, name: 'Rui Reis', externalId: '99', at, status });
    await scanAt(database, DUE);
    expect(await recallsOf(database, clinic)).toEqual([]);
  },
);

test('who is called keeps the number they were called under; one that is given later does not call again', async () => {
  const clinic = await aClinic(database);
  const id = await aVisit(database, clinic, { patient: HOME, name: 'Eva Reis', at: LONG_AGO });
  await scanAt(database, DUE);
  await change(database, clinic, id, { patientExternalId: '381', patientName: 'Eva M. Reis' });
  await scanAt(database, '2026-07-11T10:00:00Z');
  expect(await recallsOf(database, clinic)).toHaveLength(1);
});

test('no one is called whom the clinic was told to forget, and a patient called “erased” is', async () => {
  const clinic = await aClinic(database);
  await aVisit(database, clinic, { patient: HOME, name: null, at: LONG_AGO });
  await scanAt(database, DUE);
  expect(await recallsOf(database, clinic)).toEqual([]);
  await aVisit(database, clinic, { patient: HOME, name: 'erased', at: LONG_AGO });
  await scanAt(database, '2026-07-11T10:00:00Z');
  expect(await recallsOf(database, clinic)).toHaveLength(1);
});
