import { beforeEach, expect, test } from '@jest/globals';
import { rehashNames } from '../../commands/patients/rehash-names.ts';
import { erasePatient } from '../../commands/patients/erase-patient.ts';
import { findPatients } from '../../db/patients/find-patients.ts';
import { plainNameBefore, plainWordsBefore } from '../../domain/patients/plain-name-before.ts';
import { recallsOf, aVisit, scanAt } from '../recall/recall-clinic.ts';
import { aClinic, asOperator, book, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';

const PHONE = 'b'.repeat(64);
const NAME = 'Søren D’Ávila';

let clinic: TestClinic;

const database = await suiteDatabase();
beforeEach(async () => {
  clinic = await aClinic(database);
  await database.em().execute('DELETE FROM sealing_progress');
  await database.em().execute(`INSERT INTO sealing_progress (table_name) VALUES ('name_hash:letters')`);
});

/** As the version before stored what a name is found by. */
async function hashedAsBefore(id: string, name: string): Promise<void> {
  const cipher = await database.ciphers.of(clinic.tenantId);
  const hash = cipher.hash('patient-name', plainNameBefore(name)).subarray(0, 16).toString('hex');
  const beginnings = plainWordsBefore(name).flatMap((word) =>
    [1, 2, 3, 4, 5, 6, 8].map((count) => word.slice(0, count)),
  );
  const tokens = [...new Set(beginnings)].map((each) =>
    cipher.hash('name-beginning', each).readBigInt64BE(0),
  );
  const row = [hash, `{${tokens.join()}}`, id];
  await database
    .em()
    .execute('UPDATE appointment SET name_hash = ?, name_tokens = ?::bigint[] WHERE id = ?', row);
}

async function bookedBefore(name: string, startsAt: Date): Promise<string> {
  const { id } = await book(database, clinic, { patientName: name, patientPhoneHash: PHONE, startsAt });
  await hashedAsBefore(id, name);
  return id;
}

async function find(question: string): Promise<string[]> {
  const asked = { tenantId: clinic.tenantId, question, patientPhoneHashes: null, limit: 5, now: new Date() };
  return (await findPatients(database.em(), asked)).map(({ name }) => name);
}

async function rehashAll(limit: number): Promise<number> {
  let pages = 0;
  while (await rehashNames(database, limit)) pages += 1;
  return pages;
}

function rows() {
  return database
    .em()
    .execute<{ version: number; hash: string; tokens: string }[]>(
      'SELECT version, updated_at, name_hash AS hash, name_tokens::text AS tokens FROM appointment WHERE tenant_id = ? ORDER BY id',
      [clinic.tenantId],
    );
}

const aDayLater = `UPDATE sealing_progress SET next_at = now() WHERE table_name = 'name_hash:letters'`;

test('a name stored under its hash of before is found as it was written, and however it is written once it is hashed again', async () => {
  const startsAt = inHours(30);
  await bookedBefore(NAME, startsAt);
  const again = (patientName: string) =>
    book(database, clinic, { patientName, patientPhoneHash: PHONE, startsAt });
  await expect(again(NAME)).rejects.toMatchObject({ code: 'already_booked' });
  expect(await find(NAME)).toEqual([NAME]);
  expect(await find('søren')).toEqual([NAME]);
  await expect(again('soren davila')).rejects.toMatchObject({ code: 'slot_conflict' });
  expect(await find('soren davila')).toEqual([]);

  await rehashAll(200);
  for (const spelling of [NAME, 'soren davila', "SØREN D'AVILA"]) {
    await expect(again(spelling)).rejects.toMatchObject({ code: 'already_booked' });
    expect(await find(spelling)).toEqual([NAME]);
  }
});

test('erasure by name finds rows of before', async () => {
  await bookedBefore(NAME, inHours(30));
  const { tenantId } = clinic;
  const { erased } = await erasePatient(
    { database, context: asOperator() },
    { patient: { tenantId, patientPhoneHashes: [PHONE], name: NAME } },
  );
  expect(erased.appointments).toBe(1);
});

test('hashes are made again page by page, and a second pass a day later finds what a process of before wrote', async () => {
  await bookedBefore('Rui Costa', inHours(30));
  await bookedBefore(NAME, inHours(32));
  const stale = await bookedBefore('Zoë O’Hara', inHours(34));
  const before = await rows();
  expect(await rehashAll(1)).toBeGreaterThanOrEqual(3);
  const after = await rows();
  expect(after[0]).toEqual(before[0]);
  for (const at of [1, 2]) {
    expect(after[at]).not.toEqual(before[at]);
    expect({ ...after[at], hash: '', tokens: '' }).toEqual({ ...before[at], hash: '', tokens: '' });
  }

  await hashedAsBefore(stale, 'Zoë O’Hara');
  expect(await rehashAll(200)).toBe(0);
  await database.em().execute(aDayLater);
  await rehashAll(200);
  expect(await rows()).toEqual(after);
  await database.em().execute(aDayLater);
  expect(await rehashAll(200)).toBe(0);
});

test('names that no key opens keep their hashes', async () => {
  const id = await bookedBefore(NAME, inHours(30));
  await database
    .em()
    .execute(
      `UPDATE appointment SET patient_name = overlay(patient_name PLACING 'AAAA' FROM 30) WHERE id = ?`,
      [id],
    );
  const before = await rows();
  await rehashAll(200);
  expect(await rows()).toEqual(before);
});

test('recall makes the hashes again before it tells patients apart', async () => {
  const at = (date: string) => `${date}T10:00:00Z`;
  const old = await aVisit(database, clinic, { patient: 1, name: NAME, at: at('2026-01-05') });
  await hashedAsBefore(old, NAME);
  await aVisit(database, clinic, { patient: 1, name: 'soren davila', at: at('2026-06-05') });
  await scanAt(database, at('2026-07-20'));
  expect(await recallsOf(database, clinic)).toEqual([]);
});
