import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../../adapters/call-numbers.ts';
import { createPhoneHash } from '../../adapters/phone-hash.ts';
import { keptAnswer } from '../../adapters/sealed-places.ts';
import { createSecretCipher, type SecretCipher } from '../../adapters/secret-cipher.ts';
import { startCall } from '../../commands/calls/start-call.ts';
import { reencrypt } from '../../commands/encryption/reencrypt.ts';
import { createEndpoint } from '../../commands/webhooks/create-endpoint.ts';
import { idempotencyKeyHash, saveIdempotencyRecords } from '../../db/requests/idempotency-records.ts';
import { examineEncryptionKeys } from '../../commands/diagnosis/encryption-check.ts';
import { adminWith } from '../admin/admin-runs.ts';
import { CALLER, CLINIC_NUMBER } from '../calls/call-builders.ts';
import { aClinic, asOperator, type TestClinic } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';
import { openable } from './stored-texts.ts';

/** More than a page. */
const CALLS = 250;

let database: OpenTestDatabase;
let clinic: TestClinic;
beforeAll(async () => {
  database = await openTestDatabase();
  clinic = await aClinic(database);
});
afterAll(() => database[Symbol.asyncDispose]());

const someKeys = Array.from({ length: 5 }, () => randomBytes(32));
/** Each test rotates to the next one. */
const [FIRST = Buffer.alloc(32), SECOND = FIRST, THIRD = FIRST, FOURTH = FIRST, LOST = FIRST] = someKeys;

async function storeCalls(cipher: SecretCipher, count: number): Promise<void> {
  const numbers = createCallNumberVault(cipher, createPhoneHash(Buffer.alloc(32, 2)));
  for (let nr = 0; nr < count; nr += 1) {
    const call = {
      tenantId: clinic.tenantId,
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

async function storeEndpoint(cipher: SecretCipher): Promise<void> {
  const { tenantId } = clinic;
  const input = { tenantId, url: 'https://pms.example/hook', events: ['*'], description: null, cipher };
  await database.write((em) => createEndpoint(em, input, asOperator()));
}

async function keepAnswer(cipher: SecretCipher, key: string): Promise<void> {
  const { tenantId } = clinic;
  const sealed = cipher.encrypt('{"answer":1}', keptAnswer(tenantId, idempotencyKeyHash(key), key));
  await database.em().transactional((em) => saveIdempotencyRecords(em, [{ key: { tenantId, key }, sealed }]));
}

/** The operator's command with this list of keys. */
async function admin(keys: readonly Buffer[], ...words: string[]) {
  const list = keys.map((key) => key.toString('base64')).join();
  const run = await adminWith({ DATABASE_URL: database.url, ENCRYPTION_KEY: list })(...words);
  return { ...run, output: JSON.parse(run.stdout) as Record<string, unknown> };
}

test('everything is sealed anew with the first key, in steps that are told, and the old key opens none of it', async () => {
  const [old, both] = [createSecretCipher([FIRST]), createSecretCipher([SECOND, FIRST])];
  await storeEndpoint(old);
  await storeCalls(old, CALLS);
  await keepAnswer(old, 'order-1');
  expect(await openable(database, both)).toEqual([3 * CALLS + 2, 3 * CALLS + 2]);

  const { exitCode, output, stderr } = await admin([SECOND, FIRST], 'secrets', 'reencrypt');
  expect(exitCode).toBe(0);
  expect(output).toEqual({
    keyId: both.keyIds[0],
    reencrypted: { webhook_secret: 1, call: CALLS, webhook_event: CALLS, idempotency_record: 1 },
    left: [],
  });
  expect(stderr.split('\n')).toEqual([
    'webhook_secret: 1',
    'call: 200',
    `call: ${CALLS}`,
    'webhook_event: 200',
    `webhook_event: ${CALLS}`,
    'idempotency_record: 1',
    '',
  ]);
  expect(await openable(database, old)).toEqual([0, 3 * CALLS + 2]);
  expect(await openable(database, createSecretCipher([SECOND]))).toEqual([3 * CALLS + 2, 3 * CALLS + 2]);
});

test('it may be broken off: what is done stays, all opens meanwhile, and the next run does the rest', async () => {
  const both = createSecretCipher([THIRD, SECOND]);
  const breakOff = (table: string, done: number) => {
    if (table === 'call' && done >= 200) throw new Error('broken off');
  };
  await expect(reencrypt({ database, cipher: both, onProgress: breakOff })).rejects.toThrow('broken off');
  const [opened, all] = await openable(database, createSecretCipher([THIRD]));
  expect([opened, await openable(database, both)]).toEqual([401, [all, all]]);
  const { output } = await admin([THIRD, SECOND], 'secrets', 'reencrypt');
  expect(output['reencrypted']).toEqual({
    webhook_secret: 0,
    call: CALLS - 200,
    webhook_event: CALLS,
    idempotency_record: 1,
  });
  expect(await openable(database, createSecretCipher([THIRD]))).toEqual([all, all]);
});

test('a row that somebody else holds is not waited for; it is told, and the next run seals it', async () => {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN; SELECT FROM webhook_secret FOR UPDATE');
  const first = await admin([FOURTH, THIRD], 'secrets', 'reencrypt');
  expect(first.exitCode).toBe(1);
  const [thirdId] = createSecretCipher([THIRD]).keyIds;
  expect(first.output['left']).toEqual([
    { table: 'webhook_secret', format: 'v2', keyId: thirdId, rows: 1, goneAt: null },
  ]);
  await holder.end();
  const second = await admin([FOURTH, THIRD], 'secrets', 'reencrypt');
  expect(second).toMatchObject({ exitCode: 0, output: { reencrypted: { webhook_secret: 1, call: 0 } } });
});

test('the doctor counts the rows of each key and names the one that is not listed', async () => {
  const lost = createSecretCipher([LOST]);
  await storeCalls(lost, 2);
  const [fourthId = '', lostId = ''] = [...createSecretCipher([FOURTH]).keyIds, ...lost.keyIds];
  const [ofFourth, ofLost] = [
    `${fourthId}: 1 signing secrets, ${CALLS} calls, ${CALLS} events, 1 kept answers`,
    `${lostId}: 2 calls, 2 events`,
  ];
  const all = `${ofFourth}; ${ofLost}`;
  expect(await examineEncryptionKeys(database, [fourthId, lostId])).toBe(all);
  expect(await examineEncryptionKeys(database, null)).toBe(
    `${all}; whether all are listed is not known, for ENCRYPTION_KEY is not set here`,
  );
  await expect(examineEncryptionKeys(database, [fourthId])).rejects.toThrow(
    `ENCRYPTION_KEY does not list ${lostId}. ${all}`,
  );

  const run = await admin([FOURTH], 'secrets', 'reencrypt');
  expect(run.exitCode).toBe(1);
  expect(run.output['left']).toEqual([
    { table: 'call', format: 'v2', keyId: lostId, rows: 2, goneAt: null },
    { table: 'webhook_event', format: 'v2', keyId: lostId, rows: 2, goneAt: null },
  ]);
  await admin([FOURTH, LOST], 'secrets', 'reencrypt');
  expect(await examineEncryptionKeys(database, [fourthId])).toBe(
    `${fourthId}: 1 signing secrets, ${CALLS + 2} calls, ${CALLS + 2} events, 1 kept answers`,
  );
});

test('what the version before stored is sealed anew, but for kept answers, which go within a day', async () => {
  const earlier = createSecretCipher([FOURTH], 'v1');
  await storeCalls(earlier, 1);
  await keepAnswer(earlier, 'order-2');
  const { exitCode, output } = await admin([FOURTH], 'secrets', 'reencrypt');
  expect([exitCode, output['reencrypted']]).toEqual([
    1,
    { webhook_secret: 0, call: 1, webhook_event: 1, idempotency_record: 0 },
  ]);
  const [kept] = await database
    .em()
    .execute<{ expires_at: string }[]>('SELECT max(expires_at) AS expires_at FROM idempotency_record');
  expect(output['left']).toEqual([
    {
      table: 'idempotency_record',
      format: 'v1',
      keyId: createSecretCipher([FOURTH]).keyIds[0],
      rows: 1,
      goneAt: kept && new Date(kept.expires_at).toISOString(),
    },
  ]);
});
