import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { examineEncryptionKeys } from '../../commands/diagnosis/encryption-check.ts';
import { sealSome } from '../../commands/encryption/reencrypt.ts';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { findAppointmentsOfPatient } from '../../db/patients/appointments-of-patient.ts';
import { findPatients, type FoundPatient } from '../../db/patients/find-patients.ts';
import { recallsOf, scanAt } from '../recall/recall-clinic.ts';
import { aClinic, asOperator, book, inHours, type TestClinic } from '../support/clinic.ts';
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

type Form = 'sealed' | 'clear' | 'unhashed';
const FORMS: readonly Form[] = ['sealed', 'clear', 'unhashed'];
let hours = 24;

/** As this version stores it, as it does beside an earlier one, or as that one does. */
async function visit(form: Form, patientName: string, changes: Parameters<typeof book>[2] = {}) {
  hours += 2;
  const startsAt = inHours(hours);
  const booked = await book(form === 'sealed' ? database : beside, clinic, {
    patientName,
    startsAt,
    patientPhoneHash: PHONE,
    ...changes,
  });
  if (form === 'unhashed') await forgetHashes(booked.id);
  return booked.id;
}

async function forgetHashes(id: string): Promise<void> {
  await database
    .em()
    .execute('UPDATE appointment SET name_hash = NULL, name_tokens = NULL WHERE id = ?', [id]);
}

function find(question: string): Promise<FoundPatient[]> {
  const asked = { tenantId: clinic.tenantId, patientPhoneHashes: null, limit: 10, now: new Date() };
  return findPatients(database.em(), { ...asked, question });
}

async function visitsFound(question: string): Promise<string[]> {
  return (await find(question)).flatMap(({ next }) => next.map(({ id }) => id)).toSorted();
}

/** How many rows hold a clear name, a name without hashes, or hashes without a name. */
async function stored() {
  const [row] = await database.em().execute<object[]>(
    `SELECT
       count(*) FILTER (WHERE patient_name !~ '^v3\\.' AND patient_name <> 'erased')::int AS clear,
       count(*) FILTER (WHERE name_hash IS NULL AND patient_name <> 'erased')::int AS unhashed,
       count(*) FILTER (WHERE patient_name = 'erased' AND (name_hash IS NOT NULL OR name_tokens IS NOT NULL))::int AS "ofNobody"
     FROM appointment WHERE tenant_id = ?`,
    [clinic.tenantId],
  );
  return row;
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
  const unhashed = await visit('unhashed', `Maria ${'Constantinopla'.repeat(4)}s`);
  await visit('sealed', 'Maria Constantinopolitana', { patientPhoneHash: 'd'.repeat(64) });
  expect(await visitsFound('constantinopl')).toEqual([long, unhashed].toSorted());
  expect(await visitsFound('constantinopo')).toHaveLength(1);
  expect(await visitsFound('constantinopx maria')).toEqual([]);
  // Of a word its first 50 letters count.
  expect(await visitsFound('Constantinopla'.repeat(4))).toEqual([long, unhashed].toSorted());
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
  expect(await stored()).toMatchObject({ ofNobody: 0 });
});

test('a patient who came since a name was left without a hash is not called back', async () => {
  const old = await visit('unhashed', 'Eva Reis');
  const since = await visit('sealed', 'Eva  Reis');
  const other = await visit('unhashed', 'Eva Reais');
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
  expect(await stored()).toEqual({ clear: 0, unhashed: 0, ofNobody: 0 });
});

test('beside an earlier version names get their hashes and stay clear', async () => {
  await visit('unhashed', 'Eva Reis');
  await scanAt(beside, '2026-07-20T10:00:00Z');
  expect(await stored()).toEqual({ clear: 1, unhashed: 0, ofNobody: 0 });
});

test('what is there is sealed beside other work, keeps its version, and the doctor counts what is left', async () => {
  await sealSome({ database, sealing: TEST_SEALING }, 60_000);
  const ids: string[] = [];
  for (const form of FORMS) ids.push(await visit(form, 'Zita Nunes'));
  const rows = () =>
    database
      .em()
      .execute('SELECT id, version, updated_at FROM appointment WHERE tenant_id = ? ORDER BY id', [
        clinic.tenantId,
      ]);
  const before = await rows();
  await database.em().execute('UPDATE sealing_progress SET done_at = NULL');
  expect(await examineEncryptionKeys(database, null)).toContain('still to be sealed: 2 events, 2 names');
  await sealSome({ database, sealing: TEST_SEALING }, 60_000);
  expect(await examineEncryptionKeys(database, null)).not.toContain('still to be sealed');
  expect(await stored()).toEqual({ clear: 0, unhashed: 0, ofNobody: 0 });
  expect(await rows()).toEqual(before);
  expect(await visitsFound('zita')).toEqual(ids.toSorted());
});
