import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { examineEncryptionKeys } from '../../commands/diagnosis/database-checks.ts';
import { reencrypt, sealSome } from '../../commands/encryption/reencrypt.ts';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { findAppointmentsOfPatient } from '../../db/patients/appointments-of-patient.ts';
import { findPatients, type FoundPatient } from '../../db/patients/find-patients.ts';
import { recallsOf, scanAt } from '../recall/recall-clinic.ts';
import { aClinic, asOperator, book, change, inHours, type TestClinic } from '../support/clinic.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_ENCRYPTION_KEY, TEST_SEALING } from '../support/sealing.ts';

const PHONE = 'b'.repeat(64);

let own: TestDatabase;
let database: Database;
/** Writes names in clear, with their hashes: ENCRYPTION_FORMAT=v2. */
let beside: Database;
let clinic: TestClinic;

beforeAll(async () => {
  own = await createTestDatabase();
  database = await databaseWith(TEST_SEALING);
  beside = await databaseWith(createSealing([TEST_ENCRYPTION_KEY], 'v2'));
});
afterAll(async () => {
  await Promise.all([database[Symbol.asyncDispose](), beside[Symbol.asyncDispose]()]);
  await own.drop();
});
beforeEach(async () => {
  clinic = await aClinic(database, { professionals: 3 });
});

function databaseWith(sealing: typeof TEST_SEALING): Promise<Database> {
  return openDatabase({ sealing, url: own.url, poolSize: 2, applicationName: 'test names' });
}

type Form = 'sealed' | 'clear';
const FORMS: readonly Form[] = ['sealed', 'clear'];
let hours = 24;

/** As this version stores it, or as it does beside an earlier one. */
async function visit(form: Form, patientName: string, changes: Parameters<typeof book>[2] = {}) {
  hours += 2;
  const startsAt = inHours(hours);
  const booked = await book(form === 'sealed' ? database : beside, clinic, {
    patientName,
    startsAt,
    patientPhoneHash: PHONE,
    ...changes,
  });
  return booked.id;
}

function find(question: string): Promise<FoundPatient[]> {
  const asked = { tenantId: clinic.tenantId, patientPhoneHashes: null, limit: 10, now: new Date() };
  return findPatients(database.em(), { ...asked, question });
}

async function visitsFound(question: string): Promise<string[]> {
  return (await find(question)).flatMap(({ next }) => next.map(({ id }) => id)).toSorted();
}

/** How many names of the clinic stand clear. */
async function clearNames(): Promise<number | undefined> {
  const [row] = await database.em().execute<{ clear: number }[]>(
    `SELECT count(*) FILTER (WHERE patient_name !~ '^v3\\.' AND patient_name <> 'erased')::int AS clear
     FROM appointment WHERE tenant_id = ?`,
    [clinic.tenantId],
  );
  return row?.clear;
}

test('a patient is found in whatever form the names stand, and is one patient', async () => {
  const ids: string[] = [];
  for (const form of FORMS) ids.push(await visit(form, 'João Ávila-Marques'));
  await visit('sealed', 'Joana Pires', { patientPhoneHash: 'c'.repeat(64) });
  for (const question of ['avila joao', 'JOÃO MARQ', 'ávila', 'a j m', 'João Ávila Marques'])
    expect([question, await visitsFound(question)]).toEqual([question, ids.toSorted()]);
  expect(await find('joao')).toMatchObject([{ name: 'João Ávila-Marques' }]);
  expect((await find('jo')).map(({ name }) => name).toSorted()).toEqual([
    'Joana Pires',
    'João Ávila-Marques',
  ]);
  for (const question of ['oao', 'joao pires', 'v3', 'sealed']) expect(await find(question)).toEqual([]);
});

test('of words longer than their hashes the rest is compared too', async () => {
  const long = await visit('sealed', `Maria ${'Constantinopla'.repeat(4)}`);
  const clear = await visit('clear', `Maria ${'Constantinopla'.repeat(4)}s`);
  await visit('sealed', 'Maria Constantinopolitana', { patientPhoneHash: 'd'.repeat(64) });
  expect(await visitsFound('constantinopl')).toEqual([long, clear].toSorted());
  expect(await visitsFound('constantinopo')).toHaveLength(1);
  expect(await visitsFound('constantinopx maria')).toEqual([]);
  // Of a word its first 50 letters count.
  expect(await visitsFound('Constantinopla'.repeat(4))).toEqual([long, clear].toSorted());
});

test('a number of the other system is found beside names, sealed or not', async () => {
  const ids: string[] = [];
  for (const form of FORMS) ids.push(await visit(form, 'Rui Costa', { patientExternalId: 'R-381' }));
  expect(await visitsFound('r-381')).toEqual(ids.toSorted());
  expect(await find('r-381')).toHaveLength(1);
});

test('the same patient is not booked twice, in whatever form the first booking stands', async () => {
  for (const form of FORMS) {
    const startsAt = inHours((hours += 2));
    await visit(form, 'João Ávila', { startsAt });
    for (const through of [database, beside]) {
      const again = book(through, clinic, { patientName: 'joao  avila', startsAt, patientPhoneHash: PHONE });
      await expect(again).rejects.toMatchObject({ code: 'already_booked' });
      const other = book(through, clinic, { patientName: 'João Alves', startsAt, patientPhoneHash: PHONE });
      await expect(other).rejects.toMatchObject({ code: 'slot_conflict' });
    }
  }
});

test.each([
  ['number', { externalId: 'R-1' }],
  ['phone and name', { patientPhoneHash: PHONE, name: 'JOSÉ  RÊGO' }],
])('by their %s all visits of a patient are found and erased, and nobody else’s', async (_, asked) => {
  const ids: string[] = [];
  for (const form of FORMS) {
    ids.push(await visit(form, 'José Rego', { patientExternalId: 'R-1' }));
    ids.push(await visit(form, 'Jose Rêgo'));
    await visit(form, 'Josefa Rego');
  }
  const patient = { tenantId: clinic.tenantId, ...asked };
  expect((await findAppointmentsOfPatient(database.em(), patient, 100)).toSorted()).toEqual(ids.toSorted());
  await erasePatient({ database, context: asOperator() }, patient);
  expect(await find('jose rego')).toMatchObject([{ name: 'Josefa Rego' }]);
});

test('a patient who came since a name was stored clear is not called back', async () => {
  const old = await visit('clear', 'Eva Reis');
  const since = await visit('sealed', 'Eva  Reis');
  const other = await visit('clear', 'Eva Reais');
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

test('what is there is sealed beside other work, keeps its version, and the doctor counts what is left', async () => {
  await sealSome({ database, sealing: TEST_SEALING }, 60_000);
  const ids: string[] = [];
  for (const form of FORMS) ids.push(await visit(form, 'Zita Nunes'));
  expect(await clearNames()).toBe(1);
  const rows = () =>
    database
      .em()
      .execute(
        'SELECT id, version, updated_at, name_hash, name_tokens FROM appointment WHERE tenant_id = ? ORDER BY id',
        [clinic.tenantId],
      );
  const before = await rows();
  await database.em().execute('UPDATE sealing_progress SET done_at = NULL');
  expect(await examineEncryptionKeys(database, null)).toContain(
    'still to be sealed: 1 events, 1 appointments',
  );
  await sealSome({ database, sealing: TEST_SEALING }, 60_000);
  expect(await examineEncryptionKeys(database, null)).not.toContain('still to be sealed');
  expect(await clearNames()).toBe(0);
  expect(await rows()).toEqual(before);
  expect(await visitsFound('zita')).toEqual(ids.toSorted());
});

test('a name is stored with what it is found by, and one that was erased without', async () => {
  const id = await visit('sealed', 'Zita Nunes');
  const set = (change: string) =>
    database.em().execute(`UPDATE appointment SET ${change} WHERE id = ?`, [id]);
  for (const change of ['name_hash = NULL', 'name_tokens = NULL', "patient_name = 'erased'"])
    await expect(set(change)).rejects.toThrow('calendar_entry_name_hashed');
  await set("patient_name = 'erased', name_hash = NULL, name_tokens = NULL");
});

test('what was noted clear of somebody who was erased is sealed, and they stay erased', async () => {
  const id = await visit('clear', 'Zita Nunes');
  await erasePatient(
    { database, context: asOperator() },
    { tenantId: clinic.tenantId, patientPhoneHash: PHONE, name: null },
  );
  await change(beside, clinic, id, { patientNotes: 'Asks for nothing' });
  await reencrypt({ database, sealing: TEST_SEALING }, () => undefined);
  const [row] = await database
    .em()
    .execute<object[]>('SELECT patient_name, patient_notes FROM appointment WHERE id = ?', [id]);
  expect(row).toEqual({ patient_name: 'erased', patient_notes: expect.stringMatching(/^v3\./) });
});
