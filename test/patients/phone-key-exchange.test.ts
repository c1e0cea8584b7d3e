import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from '@jest/globals';
import { createPhoneHash, type PhoneHash, type PhoneHashKeys } from '../../adapters/phones/phone-hash.ts';
import { examineEncryptionKeys } from '../../commands/diagnosis/database-checks.ts';
import { announcePhoneHash } from '../../commands/patients/rehash-phones.ts';
import { findCallers } from '../../db/calls/callers.ts';
import { findPatients } from '../../db/patients/find-patients.ts';
import { adminWith, answerOf, type Admin } from '../admin/admin-runs.ts';
import { aStartedCall } from '../calls/call-builders.ts';
import { recallsOf, scanAt } from '../recall/recall-clinic.ts';
import { appointmentIn, createApiClient, type ApiClient } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { TEST_ENCRYPTION_KEY } from '../support/sealing.ts';
import { storedAppointments } from '../support/stored/stored-appointments.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { forSuite } from '../support/for-suite.ts';

const [OLD, NEW, NEWEST] = [7, 8, 10].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const BEFORE: PhoneHashKeys = { current: OLD };
const PREPARED: PhoneHashKeys = { current: OLD, next: NEW };
const CHANGED: PhoneHashKeys = { previous: [OLD], current: NEW };
const CHANGED_AGAIN: PhoneHashKeys = { previous: [OLD, NEW], current: NEWEST };

const PHONE = '+351961112223';
const OTHER_PHONE = '+351961112224';

let clinic: TestClinic;
let client: ApiClient;
/** That of the processes at the moment. */
let keys = BEFORE;
const { path: recordings } = await forSuite(mkdtempDisposable(join(tmpdir(), 'clinic-phones-')));
const now = () => createPhoneHash(keys);
const phoneHash: PhoneHash = Object.assign((phone: Parameters<PhoneHash>[0]) => now()(phone), {
  every: (phone: Parameters<PhoneHash>[0]) => now().every(phone),
  carriedOn: (tenantId: string, stored: string) => now().carriedOn(tenantId, stored),
  maybeOf: (tenantId: string, shown: string) => now().maybeOf(tenantId, shown),
  prefix: '',
});
const api = await suiteApi({ phoneHash });
beforeEach(async () => {
  keys = BEFORE;
  clinic = await aClinic(api.database);
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  // What other clinics have is as the first key has made it.
  for (const statement of [
    'DELETE FROM sealing_progress',
    'UPDATE appointment SET patient_phone_hash = right(patient_phone_hash, 64)',
    'UPDATE call SET from_number_hash = right(from_number_hash, 64), to_number_hash = right(to_number_hash, 64)',
  ])
    await api.database.em().execute(statement);
});

/** The operator's command line with the keys of the moment. */
function admin(...words: string[]): ReturnType<Admin> {
  const { previous = [], current, next } = keys;
  const text = (key: Uint8Array) => Buffer.from(key).toString('base64');
  return adminWith({
    DATABASE_URL: api.databaseUrl,
    SERVICE_MODE: 'test',
    ENCRYPTION_KEY: text(TEST_ENCRYPTION_KEY),
    PHONE_HASH_KEY: text(current),
    PHONE_HASH_KEY_PREVIOUS: previous.map(text).join(),
    PHONE_HASH_KEY_NEXT: next ? text(next) : '',
    RECORDINGS_URL: pathToFileURL(recordings).href,
  })(...words);
}

let hours = 24;
async function visit(patientPhone = PHONE, patientName = 'Zulmira Zorro') {
  const body = bookingBody(clinic, inHours((hours += 2)), { patientPhone, patientName });
  return appointmentIn(await client.post('/v1/appointments', body, { 'idempotency-key': `visit-${hours}` }));
}

/** Ids of the appointments that the API finds by a phone, with the hashes that it shows of them. */
async function foundBy(patientPhone: string) {
  const { status, body } = await client.post('/v1/appointments/search', { patientPhone });
  expect(status).toBe(200);
  const items = body['items'] as { id: string; patientPhoneHash: string }[];
  for (const { patientPhoneHash } of items) expect(patientPhoneHash).toMatch(/^[0-9a-f]{64}$/);
  return { ids: items.map(({ id }) => id), hashes: [...new Set(items.map((item) => item.patientPhoneHash))] };
}

async function namesOfCallers(): Promise<string[][]> {
  const em = api.database.em();
  const calls = await em.execute<{ hash: string }[]>(
    'SELECT from_number_hash AS hash FROM call WHERE tenant_id = ? ORDER BY id',
    [clinic.tenantId],
  );
  const hashes = calls.map(({ hash }) => hash);
  const callers = await findCallers(em, clinic.tenantId, hashes, new Date());
  return hashes.map((hash) => callers.get(hash)?.names ?? []);
}

test('a patient is found by phone before, during and after an exchange of the key, and again after the next', async () => {
  const before = await visit();
  await aStartedCall(client, { fromNumber: PHONE });
  const { hashes: first } = await foundBy(PHONE);
  keys = PREPARED;
  expect(await foundBy(PHONE)).toEqual({ ids: [before.id], hashes: first });
  keys = CHANGED;
  const after = await visit();
  await aStartedCall(client, { fromNumber: PHONE });
  await visit(OTHER_PHONE, 'Rui Costa');
  expect((await foundBy(PHONE)).ids).toEqual([before.id, after.id]);
  // Processes that have not been restarted yet find it, too.
  keys = PREPARED;
  expect((await foundBy(PHONE)).ids).toEqual([before.id, after.id]);

  keys = CHANGED;
  const rehashed = await answerOf(admin('secrets', 'rehash-phones'));
  expect(rehashed).toMatchObject({ rehashed: { appointment: 1, call: 1 }, left: {} });
  const found = await foundBy(PHONE);
  expect(found.ids).toEqual([before.id, after.id]);
  expect(found.hashes).toEqual([(await client.get(`/v1/appointments/${after.id}`)).body['patientPhoneHash']]);
  expect(found.hashes).not.toEqual(first);
  expect(await namesOfCallers()).toEqual([['Zulmira Zorro'], ['Zulmira Zorro']]);
  const patients = await findPatients(api.database.em(), {
    tenantId: clinic.tenantId,
    question: 'zulmira',
    patientPhoneHashes: createPhoneHash(CHANGED).every({ tenantId: clinic.tenantId, e164: PHONE }),
    limit: 10,
    now: new Date(),
  });
  expect(patients.map(({ next }) => next.map(({ id }) => id))).toEqual([[before.id, after.id]]);
  const again = await answerOf(admin('secrets', 'rehash-phones'));
  expect(again).toMatchObject({ rehashed: { appointment: 0, call: 0 }, left: {} });

  keys = CHANGED_AGAIN;
  const newest = await visit();
  expect((await foundBy(PHONE)).ids).toEqual([before.id, after.id, newest.id]);
  await answerOf(admin('secrets', 'rehash-phones'));
  expect((await foundBy(PHONE)).hashes).toHaveLength(1);
});

test('a change of nothing but the key leaves versions, and says nothing to receivers', async () => {
  const { id } = await visit();
  const read = async () => {
    const { body } = await client.get(`/v1/appointments/${id}`);
    return { version: body['version'], updatedAt: body['updatedAt'] };
  };
  const [before, events] = [await read(), await storedEvents(api.database, { tenantId: clinic.tenantId })];
  keys = CHANGED;
  await answerOf(admin('secrets', 'rehash-phones'));
  expect(await read()).toEqual(before);
  expect(await storedEvents(api.database, { tenantId: clinic.tenantId })).toHaveLength(events.length);
});

test('hashes of a key that is not listed are told and left', async () => {
  keys = CHANGED;
  await visit();
  keys = { previous: [OLD], current: NEWEST };
  await visit(OTHER_PHONE);
  const run = await admin('secrets', 'rehash-phones');
  expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([1, { left: { appointment: 1 } }]);
  keys = CHANGED;
  expect((await foundBy(PHONE)).ids).toHaveLength(1);
});

test('a patient is erased by phone in the middle of an exchange, with what shows older hashes', async () => {
  const before = await visit();
  const call = await aStartedCall(client, { fromNumber: PHONE });
  keys = CHANGED;
  const after = await visit();
  const kept = await visit(OTHER_PHONE, 'Rui Costa');
  const shown = [before, after].map(({ patientPhoneHash }) => patientPhoneHash);
  expect(new Set(shown).size).toBe(2);
  const words = ['--tenant', clinic.tenantId, '--phone', PHONE];
  const exported = await answerOf(admin('patient', 'export', ...words));
  expect(exported['appointments']).toHaveLength(2);
  const erased = await answerOf(admin('patient', 'erase', ...words));
  expect(erased).toMatchObject({ appointments: 2, calls: 1, keptAnswers: 2 });
  expect((await foundBy(PHONE)).ids).toEqual([]);
  expect((await foundBy(OTHER_PHONE)).ids).toEqual([kept.id]);
  const events = await storedEvents(api.database, { tenantId: clinic.tenantId });
  // `patient.erased` names the patient, so that receivers know whom to erase.
  const bodies = events.flatMap(({ type, body }) => (type === 'patient.erased' ? [] : [body]));
  for (const trace of [...shown, 'Zulmira', PHONE]) expect(bodies.join('\n')).not.toContain(trace);
  expect((await client.get(`/v1/calls/${call}`)).text).not.toContain(PHONE);
});

test('recall waits until all hashes are by one key, and then takes no one for two', async () => {
  const [old, since] = [await visit(), await visit()];
  const settle = (id: string, startsAt: Date) =>
    api.database.em().execute(
      `UPDATE appointment SET status = 'attended', blocks = false, starts_at = ?, block_from = ?,
         ends_at = ?::timestamptz + interval '1 hour', block_until = ?::timestamptz + interval '1 hour'
       WHERE id = ?`,
      [startsAt, startsAt, startsAt, startsAt, id],
    );
  await settle(old.id, new Date('2026-01-05T10:00:00Z'));
  await settle(since.id, new Date('2026-06-05T10:00:00Z'));
  keys = CHANGED;
  const phoneHash = createPhoneHash(keys);
  await announcePhoneHash(api.database, phoneHash);
  await api.database
    .em()
    .execute('UPDATE appointment SET patient_phone_hash = ? WHERE id = ?', [
      phoneHash({ tenantId: clinic.tenantId, e164: PHONE }),
      since.id,
    ]);
  await scanAt(api.database, '2026-07-20T10:00:00Z');
  expect(await recallsOf(api.database, clinic)).toEqual([]);
  expect(await examineEncryptionKeys(api.database, null)).toContain('phone numbers are hashed with two keys');
  await answerOf(admin('secrets', 'rehash-phones'));
  await scanAt(api.database, '2026-07-20T10:00:00Z');
  expect(await recallsOf(api.database, clinic)).toEqual([]);
  expect(await examineEncryptionKeys(api.database, null)).not.toContain('phones are hashed');
  await scanAt(api.database, '2026-12-20T10:00:00Z');
  const [stored] = await storedAppointments(api.database, { id: since.id });
  expect(await recallsOf(api.database, clinic)).toEqual([
    expect.objectContaining({ patientPhoneHash: stored?.patientPhoneHash.slice(-64) }),
  ]);
});
