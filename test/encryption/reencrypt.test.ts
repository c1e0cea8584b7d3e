import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { examineEncryptionKeys } from '../../commands/diagnosis/database-checks.ts';
import { reencrypt } from '../../commands/encryption/reencrypt.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { adminWith } from '../admin/admin-runs.ts';
import { aClinic, book, inHours } from '../support/clinic.ts';
import { createTestDatabase } from '../support/database.ts';
import { openable } from './stored-texts.ts';
import { forSuite } from '../support/for-suite.ts';

/** More than a page. */
const CLINICS = 250;

const someKeys = Array.from({ length: 4 }, () => randomBytes(32));
const [FIRST = Buffer.alloc(32), SECOND = FIRST, THIRD = FIRST, LOST = FIRST] = someKeys;
const idOf = (key: Buffer) => createSealing([key]).master.keyIds[0] ?? '';

const open: Database[] = [];
const own = await forSuite(createTestDatabase());
const database = await databaseWith([FIRST]);
const clinic = await aClinic(database, { professionals: 1 });
await book(database, clinic, { startsAt: inHours(24), patientNotes: 'Allergic', metadata: { chair: 2 } });
const others = await database.em().execute<{ id: string }[]>(
  `INSERT INTO tenant (id, identity_org_id, name, country, specialty)
   SELECT gen_random_uuid(), 'org_' || nr, 'Clinic', 'PT', 'dental' FROM generate_series(2, ?) nr
   RETURNING id`,
  [CLINICS],
);
for (const { id } of others) await database.ciphers.of(id);
afterAll(async () => {
  for (const database of open) await database[Symbol.asyncDispose]();
});

/** The database as a process with these keys has it. */
async function databaseWith(keys: readonly Buffer[]): Promise<Database> {
  const options = { sealing: createSealing(keys), url: own.url, poolSize: 2 };
  const database = await openDatabase({ ...options, applicationName: 'test keys' });
  open.push(database);
  return database;
}

/** The operator's command with this list of keys. */
async function admin(keys: readonly Buffer[], ...words: string[]) {
  const list = keys.map((key) => key.toString('base64')).join();
  const run = await adminWith({ DATABASE_URL: own.url, ENCRYPTION_KEY: list })(...words);
  return { ...run, output: JSON.parse(run.stdout) as Record<string, unknown> };
}

test('another master key re-encrypts the clinics’ keys, in steps that are reported, and nothing else changes', async () => {
  const [, all] = await openable(own.url, [FIRST]);
  const run = await admin([SECOND, FIRST], 'secrets', 'reencrypt');
  expect(run).toMatchObject({ exitCode: 0, output: { keyId: idOf(SECOND), reencrypted: CLINICS, left: [] } });
  expect(run.stderr.split('\n')).toEqual(expect.arrayContaining(['200', String(CLINICS)]));
  expect(await openable(own.url, [FIRST])).toEqual([0, all]);
  expect(await openable(own.url, [SECOND])).toEqual([all, all]);
});

test('it may be broken off: what is done stays, all opens meanwhile, and the next run does the rest', async () => {
  const keys = [THIRD, SECOND];
  const database = await databaseWith(keys);
  const breakOff = () => {
    throw new Error('broken off');
  };
  await expect(reencrypt(database, createSealing(keys).master, breakOff)).rejects.toThrow('broken off');
  const [opened, all] = await openable(own.url, keys);
  expect(opened).toBe(all);
  expect((await admin(keys, 'secrets', 'reencrypt')).output).toMatchObject({ reencrypted: CLINICS - 200 });
  expect(await openable(own.url, [THIRD])).toEqual([all, all]);
});

test('the doctor names a key that is not listed, and what it has sealed is left as it is', async () => {
  const told = `${idOf(THIRD)}: encrypts the keys of ${CLINICS} clinics`;
  const database = await databaseWith([THIRD]);
  expect(await examineEncryptionKeys(database, [idOf(THIRD)])).toBe(told);
  expect(await examineEncryptionKeys(database, null)).toBe(
    `${told}; ENCRYPTION_KEY is not set here, so this check cannot tell whether it lists all of them`,
  );
  await expect(examineEncryptionKeys(database, [idOf(LOST)])).rejects.toThrow(
    `ENCRYPTION_KEY does not list ${idOf(THIRD)}. ${told}`,
  );
  const run = await admin([LOST], 'secrets', 'reencrypt');
  expect(run).toMatchObject({
    exitCode: 1,
    output: { reencrypted: 0, left: [{ keyId: idOf(THIRD), rows: CLINICS }] },
  });
});
