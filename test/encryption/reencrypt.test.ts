import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../../adapters/phones/call-numbers.ts';
import { createSealing, type MasterSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import { startCall } from '../../commands/calls/record-call.ts';
import { examineEncryptionKeys } from '../../commands/diagnosis/database-checks.ts';
import { reencrypt, sealSome } from '../../commands/encryption/reencrypt.ts';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { idempotencyKeyHash, saveIdempotencyRecords } from '../../db/requests/idempotency-records.ts';
import { keptAnswer } from '../../domain/encryption/sealed-places.ts';
import { adminWith } from '../admin/admin-runs.ts';
import { CALLER, CLINIC_NUMBER } from '../calls/call-builders.ts';
import { aClinic, asOperator, book, inHours, type TestClinic } from '../support/clinic.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openable } from './stored-texts.ts';

/** More than a page. */
const CALLS = 250;
/** Two numbers and the metadata. */
const TEXTS_OF_A_CALL = 2;

const someKeys = Array.from({ length: 4 }, () => randomBytes(32));
const [FIRST = Buffer.alloc(32), SECOND = FIRST, THIRD = FIRST, LOST = FIRST] = someKeys;
const idOf = (key: Buffer) => createSealing([key]).master.keyIds[0] ?? '';

let own: TestDatabase;
let clinic: TestClinic;
const open: Database[] = [];
beforeAll(async () => {
  own = await createTestDatabase();
  clinic = await aClinic(await databaseWith(createSealing([FIRST], 'v2')), { professionals: 2 });
});
afterAll(async () => {
  for (const database of open) await database[Symbol.asyncDispose]();
  await own.drop();
});

/** The database as a process with these keys has it. */
async function databaseWith(sealing: MasterSealing): Promise<Database> {
  const database = await openDatabase({ sealing, url: own.url, poolSize: 2, applicationName: 'test keys' });
  open.push(database);
  return database;
}

async function storeCalls(database: Database, count: number): Promise<void> {
  const { tenantId } = clinic;
  const phoneHash = createPhoneHash({ current: Buffer.alloc(32, 2) });
  const numbers = await createCallNumberVault(database.ciphers, phoneHash).of(tenantId);
  for (let nr = 0; nr < count; nr += 1) {
    const call = {
      tenantId,
      callId: uuidv7(),
      fromNumber: CALLER,
      toNumber: CLINIC_NUMBER,
      startedAt: new Date(),
      telephonyCallControlId: null,
      metadata: {},
    };
    await database.write((em) => startCall(em, call, numbers, asOperator()));
  }
}

async function storeEndpoint(database: Database, path = ''): Promise<void> {
  const { tenantId } = clinic;
  const input = { tenantId, url: `https://pms.example/hook${path}`, events: ['*'], description: null };
  await database.write((em) => createEndpoint(em, input, asOperator()));
}

async function keepAnswer(database: Database, key: string): Promise<void> {
  const { tenantId } = clinic;
  const cipher = await database.ciphers.of(tenantId);
  const sealed = cipher.encrypt('{"answer":1}', keptAnswer(tenantId, idempotencyKeyHash(key), key));
  await database.em().transactional((em) => saveIdempotencyRecords(em, [{ key: { tenantId, key }, sealed }]));
}

/** The operator's command with this list of keys. */
async function admin(keys: readonly Buffer[], ...words: string[]) {
  const list = keys.map((key) => key.toString('base64')).join();
  const run = await adminWith({ DATABASE_URL: own.url, ENCRYPTION_KEY: list })(...words);
  return { ...run, output: JSON.parse(run.stdout) as Record<string, unknown> };
}

/** What `secrets reencrypt` has sealed, but for the tables of which there was nothing. */
function sealedOf({ output }: { output: Record<string, unknown> }): Record<string, number> {
  const counts = Object.entries(output['reencrypted'] as Record<string, number>);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

test('what the version before has stored, sealed or clear, is sealed under the key of the clinic, in steps that are told', async () => {
  const before = await databaseWith(createSealing([FIRST], 'v2'));
  await storeEndpoint(before);
  await storeCalls(before, CALLS);
  await keepAnswer(before, 'order-1');
  await book(before, clinic, { startsAt: inHours(24), patientNotes: 'Allergic', metadata: { chair: 2 } });

  const run = await admin([SECOND, FIRST], 'secrets', 'reencrypt');
  expect(run).toMatchObject({ exitCode: 0, output: { keyId: idOf(SECOND), left: [] } });
  expect(sealedOf(run)).toEqual({
    // That of the clinic has been made under the first key of that time.
    clinic_key: 1,
    webhook_secret: 1,
    call: CALLS,
    webhook_event: CALLS + 1,
    idempotency_record: 1,
    appointment: 1,
  });
  expect(run.stderr.split('\n')).toEqual(expect.arrayContaining(['call: 200', `call: ${CALLS}`]));
  const all = 1 + 1 + CALLS * TEXTS_OF_A_CALL + CALLS + 1 + 1 + 3;
  expect(await openable(own.url, [FIRST])).toEqual([0, all]);
  expect(await openable(own.url, [SECOND])).toEqual([all, all]);
});

test('another master key seals the keys of clinics anew, and nothing else needs to be touched', async () => {
  const run = await admin([THIRD, SECOND], 'secrets', 'reencrypt');
  expect(run.exitCode).toBe(0);
  expect(sealedOf(run)).toEqual({ clinic_key: 1 });
  const [opened, all] = await openable(own.url, [THIRD]);
  expect(opened).toBe(all);
});

test('it may be broken off: what is done stays, all opens meanwhile, and the next run does the rest', async () => {
  const before = createSealing([THIRD], 'v2');
  await storeCalls(await databaseWith(before), CALLS);
  const sealing = createSealing([THIRD]);
  const database = await databaseWith(sealing);
  const breakOff = (table: string, done: number) => {
    if (table === 'call' && done >= 200) throw new Error('broken off');
  };
  await expect(reencrypt({ database, sealing }, breakOff)).rejects.toThrow('broken off');
  const [opened, all] = await openable(own.url, [THIRD]);
  expect(opened).toBe(all);
  expect(sealedOf(await admin([THIRD], 'secrets', 'reencrypt'))).toEqual({
    call: CALLS - 200,
    webhook_event: CALLS,
  });
});

test('a row that somebody else holds is not waited for; it is told, and a later run seals it', async () => {
  await storeEndpoint(await databaseWith(createSealing([THIRD], 'v2')), '/other');
  const holder = new Client({ connectionString: own.url });
  await holder.connect();
  await holder.query('BEGIN; SELECT FROM webhook_secret FOR UPDATE');
  const first = await admin([THIRD], 'secrets', 'reencrypt');
  expect(first.exitCode).toBe(1);
  expect(first.output['left']).toEqual([
    { table: 'webhook_secret', format: 'v2', keyId: idOf(THIRD), rows: 1, goneAt: null },
  ]);
  await holder.end();
  const second = await admin([THIRD], 'secrets', 'reencrypt');
  expect(second.exitCode).toBe(0);
  expect(sealedOf(second)).toEqual({ webhook_secret: 1 });
});

test('beside other work it goes on where it was, and the doctor tells how much there is still to do', async () => {
  const before = await databaseWith(createSealing([THIRD], 'v2'));
  await book(before, clinic, { startsAt: inHours(26), patientNotes: 'Afraid of needles' });
  await before.em().execute('UPDATE sealing_progress SET done_at = NULL');
  const sealing = createSealing([THIRD]);
  const database = await databaseWith(sealing);
  expect(await examineEncryptionKeys(database, [idOf(THIRD)])).toContain(
    'still to be sealed: 1 events, 1 appointments',
  );
  await sealSome({ database, sealing }, 60_000);
  expect(await examineEncryptionKeys(database, [idOf(THIRD)])).toBe(`${idOf(THIRD)}: 1 keys of clinics`);
});

test('the doctor names a key that is not listed', async () => {
  const told = `${idOf(THIRD)}: 1 keys of clinics`;
  const database = await databaseWith(createSealing([THIRD]));
  expect(await examineEncryptionKeys(database, null)).toBe(
    `${told}; whether all are listed is not known, for ENCRYPTION_KEY is not set here`,
  );
  await expect(examineEncryptionKeys(database, [idOf(LOST)])).rejects.toThrow(
    `ENCRYPTION_KEY does not list ${idOf(THIRD)}. ${told}`,
  );
  const run = await admin([LOST], 'secrets', 'reencrypt');
  expect(run.exitCode).toBe(1);
  expect(run.output['left']).toEqual([
    { table: 'clinic_key', format: 'v2', keyId: idOf(THIRD), rows: 1, goneAt: null },
  ]);
});

test('what the first version stored is sealed anew, but for kept answers, which go within a day', async () => {
  const earlier = await databaseWith(createSealing([THIRD], 'v1'));
  await storeCalls(earlier, 1);
  await keepAnswer(earlier, 'order-2');
  const run = await admin([THIRD], 'secrets', 'reencrypt');
  expect([run.exitCode, sealedOf(run)]).toEqual([1, { call: 1, webhook_event: 1 }]);
  const [kept] = await earlier
    .em()
    .execute<{ expires_at: string }[]>('SELECT max(expires_at) AS expires_at FROM idempotency_record');
  expect(run.output['left']).toEqual([
    {
      table: 'idempotency_record',
      format: 'v1',
      keyId: idOf(THIRD),
      rows: 1,
      goneAt: kept && new Date(kept.expires_at).toISOString(),
    },
  ]);
});
