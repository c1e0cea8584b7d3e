import { beforeEach, expect, test } from '@jest/globals';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { findAppointmentsOfPatient } from '../../db/patients/appointments-of-patient.ts';
import { findPatients, type FoundPatient } from '../../db/patients/find-patients.ts';
import { recallsOf, scanAt } from '../recall/recall-clinic.ts';
import { aClinic, asOperator, book, change, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { storedAppointments } from '../support/stored/stored-appointments.ts';

const PHONE = 'b'.repeat(64);

let clinic: TestClinic;

const database = await suiteDatabase();
beforeEach(async () => {
  clinic = await aClinic(database, { professionals: 3 });
});

let hours = 24;

async function visit(patientName: string, changes: Parameters<typeof book>[2] = {}): Promise<string> {
  hours += 2;
  const startsAt = inHours(hours);
  const wanted = { patientName, startsAt, patientPhoneHash: PHONE, ...changes };
  return (await book(database, clinic, wanted)).id;
}

function find(question: string): Promise<FoundPatient[]> {
  const asked = { tenantId: clinic.tenantId, patientPhoneHashes: null, limit: 10, now: new Date() };
  return findPatients(database.em(), { ...asked, question });
}

async function visitsFound(question: string): Promise<string[]> {
  return (await find(question)).flatMap(({ next }) => next.map(({ id }) => id)).toSorted();
}

test('a patient is found by how the words of the name begin, accents and capitals aside, and is one patient', async () => {
  const ids = [await visit('João Ávila-Marques'), await visit('Joao Avila-Marques')];
  await visit('Joana Pires', { patientPhoneHash: 'c'.repeat(64) });
  for (const question of ['avila joao', 'JOÃO MARQ', 'ávila', 'a j m', 'João Ávila Marques'])
    expect([question, await visitsFound(question)]).toEqual([question, ids.toSorted()]);
  expect(await find('joao')).toMatchObject([{ name: 'Joao Avila-Marques' }]);
  expect((await find('jo')).map(({ name }) => name).toSorted()).toEqual([
    'Joana Pires',
    'Joao Avila-Marques',
  ]);
  for (const question of ['oao', 'joao pires', 'v3', 'sealed']) expect(await find(question)).toEqual([]);
});

test('of words longer than their hashes the rest is compared too', async () => {
  const long = await visit(`Maria ${'Constantinopla'.repeat(4)}`);
  const longer = await visit(`Maria ${'Constantinopla'.repeat(4)}s`);
  await visit('Maria Constantinopolitana', { patientPhoneHash: 'd'.repeat(64) });
  expect(await visitsFound('constantinopl')).toEqual([long, longer].toSorted());
  expect(await visitsFound('constantinopo')).toHaveLength(1);
  expect(await visitsFound('constantinopx maria')).toEqual([]);
  // Of a word its first 50 letters count.
  expect(await visitsFound('Constantinopla'.repeat(4))).toEqual([long, longer].toSorted());
});

test('a number of the other system is found beside names', async () => {
  const rui = () => visit('Rui Costa', { patientExternalId: 'R-381' });
  const ids = [await rui(), await rui()];
  expect(await visitsFound('r-381')).toEqual(ids.toSorted());
  expect(await find('r-381')).toHaveLength(1);
});

test('the same patient is not booked twice, however the name is written', async () => {
  const startsAt = inHours((hours += 2));
  await visit('João Ávila', { startsAt });
  const again = book(database, clinic, { patientName: 'joao  avila', startsAt, patientPhoneHash: PHONE });
  await expect(again).rejects.toMatchObject({ code: 'already_booked' });
  const other = book(database, clinic, { patientName: 'João Alves', startsAt, patientPhoneHash: PHONE });
  await expect(other).rejects.toMatchObject({ code: 'slot_conflict' });
});

test.each([
  ['number', { externalId: 'R-1' }],
  ['phone and name', { patientPhoneHashes: [PHONE], name: 'JOSÉ  RÊGO' }],
])('by their %s all visits of a patient are found and erased, and no one else’s', async (_, asked) => {
  const ids = [await visit('José Rego', { patientExternalId: 'R-1' }), await visit('Jose Rêgo')];
  await visit('Josefa Rego');
  const patient = { tenantId: clinic.tenantId, ...asked };
  expect((await findAppointmentsOfPatient(database.em(), patient, 100)).toSorted()).toEqual(ids.toSorted());
  await erasePatient({ database, context: asOperator() }, { patient });
  expect(await find('jose rego')).toMatchObject([{ name: 'Josefa Rego' }]);
});

test('a patient who came since, whose name was written otherwise, is not called back', async () => {
  const old = await visit('Eva Reis');
  const since = await visit('Eva  Reis');
  const other = await visit('Eva Reais');
  const inAnHour = (at: string) => new Date(Date.parse(at) + 3_600_000);
  const settle = (id: string, at: string) =>
    database
      .em()
      .execute(
        `UPDATE appointment SET status = 'attended', blocks = false, starts_at = ?, ends_at = ?, block_from = ?, block_until = ? WHERE id = ?`,
        [at, inAnHour(at), at, inAnHour(at), id],
      );
  await settle(old, '2026-01-05T10:00:00Z');
  await settle(since, '2026-06-05T10:00:00Z');
  await settle(other, '2026-01-06T10:00:00Z');
  await scanAt(database, '2026-07-20T10:00:00Z');
  expect(await recallsOf(database, clinic)).toMatchObject([{ lastVisitAt: '2026-01-06T10:00:00.000Z' }]);
});

test('a name is stored with what it is found by, and one that was erased without', async () => {
  const id = await visit('Zita Nunes');
  const set = (change: string) =>
    database.em().execute(`UPDATE appointment SET ${change} WHERE id = ?`, [id]);
  for (const change of ['name_hash = NULL', 'name_tokens = NULL', "patient_name = 'erased'"])
    await expect(set(change)).rejects.toThrow('calendar_entry_name_hashed');
  await set("patient_name = 'erased', name_hash = NULL, name_tokens = NULL");
});

test('a patient who is called as the erased are shown is found and erased, and who was erased is not found', async () => {
  const { tenantId } = clinic;
  const called = await visit('Erased');
  const other = await visit('erased', { patientPhoneHash: 'e'.repeat(64) });
  expect(await visitsFound('erased')).toEqual([called, other].toSorted());
  const asked = { tenantId, patientPhoneHashes: [PHONE], name: 'erased' };
  expect(await findAppointmentsOfPatient(database.em(), asked, 10)).toEqual([called]);
  await erasePatient({ database, context: asOperator() }, { patient: asked });
  expect(await visitsFound('erased')).toEqual([other]);
  expect(await storedAppointments(database, { id: called })).toMatchObject([{ patientName: null }]);
});

test('an erased appointment that is moved stays without a name', async () => {
  const { tenantId } = clinic;
  const id = await visit('Nuno Alves');
  const patient = { tenantId, patientPhoneHashes: [PHONE], name: null };
  await erasePatient({ database, context: asOperator() }, { patient });
  await change(database, clinic, id, { startsAt: inHours(90) });
  expect(await visitsFound('erased')).toEqual([]);
  const [stored] = await storedAppointments(database, { rescheduledFromId: id });
  expect(stored).toMatchObject({ patientName: null });
});
