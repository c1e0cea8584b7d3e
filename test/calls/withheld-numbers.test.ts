import { beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import { rehashPhonesOf } from '../../commands/patients/rehash-phones.ts';
import { findCallers } from '../../db/calls/callers.ts';
import { findCallsOfPhones } from '../../db/patients/calls-of-patient.ts';
import { STAND_INS } from '../../domain/calls/withheld-number.ts';
import { createApiClient, type ApiClient } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { aCallBody, aStartedCall, CALLER } from './call-builders.ts';

const phoneHash = createPhoneHash({ current: Buffer.alloc(32, 7) });
let clinic: TestClinic;
let client: ApiClient;

const api = await suiteApi({ phoneHash });
beforeEach(async () => {
  clinic = await aClinic(api.database);
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
});

const SENT = [null, ...STAND_INS, ...STAND_INS.map((word) => word.toUpperCase()), 'Anonymous'];

async function hashesOfCallers(): Promise<string[]> {
  const rows = await api.database
    .em()
    .execute<{ hash: string }[]>(
      'SELECT from_number_hash AS hash FROM call WHERE tenant_id = ? ORDER BY id',
      [clinic.tenantId],
    );
  return rows.map(({ hash }) => hash);
}

test.each(SENT)('a call from %s is recorded without a number, and repeated', async (fromNumber) => {
  const path = `/v1/calls/${uuidv7()}`;
  const started = await client.send('PUT', path, { body: aCallBody({ fromNumber }) });
  expect(started).toMatchObject({ status: 201, body: { fromNumber: 'anonymous' } });
  for (const same of [fromNumber, null, 'anonymous']) {
    const again = await client.send('PUT', path, { body: aCallBody({ fromNumber: same }) });
    expect(again).toMatchObject({ status: 200, body: { fromNumber: 'anonymous' } });
  }
  const other = await client.send('PUT', path, { body: aCallBody({ fromNumber: CALLER }) });
  expect(other).toMatchObject({ status: 409, body: { errors: [{ path: 'body.fromNumber' }] } });
  const shown = await client.get(path);
  expect(shown.body).toMatchObject({ call: { fromNumber: 'anonymous' } });
  const ended = { endedAt: '2026-03-02T09:31:00.000Z', outcome: 'voicemail' };
  await client.post(`${path}/complete`, ended);
  const events = await storedEvents(api.database, { tenantId: clinic.tenantId });
  for (const { type, body } of events) {
    expect(type).toMatch(/^call\./);
    expect(JSON.parse(body ?? '')).toMatchObject({ data: { call: { fromNumber: 'anonymous' } } });
  }
  expect(events).toHaveLength(2);
});

test('what is neither a number nor what carriers send for none is refused', async () => {
  for (const fromNumber of ['', 'anon', 'anonymous ', '+0266696687', 'nobody', '266696687'])
    expect(
      await client.send('PUT', `/v1/calls/${uuidv7()}`, { body: aCallBody({ fromNumber }) }),
    ).toMatchObject({ status: 422, body: { errors: [{ path: 'body.fromNumber' }] } });
  const { fromNumber: _absent, ...body } = aCallBody();
  expect(await client.send('PUT', `/v1/calls/${uuidv7()}`, { body })).toMatchObject({ status: 422 });
});

test('a call without a number has no other call and no patient beside it', async () => {
  const patientPhone = STAND_INS.find((number) => number.startsWith('+')) ?? '';
  const booked = await client.post(
    '/v1/appointments',
    bookingBody(clinic, inHours(30), { patientPhone, patientName: 'Rui Costa' }),
  );
  expect(booked.status).toBe(201);
  for (const fromNumber of [null, null, patientPhone, 'unknown']) await aStartedCall(client, { fromNumber });
  const hashes = await hashesOfCallers();
  expect(new Set(hashes).size).toBe(4);
  const em = api.database.em();
  expect(await findCallers(em, clinic.tenantId, hashes, new Date())).toEqual(new Map());
  const phones = phoneHash.every({ tenantId: clinic.tenantId, e164: patientPhone });
  expect(await findCallsOfPhones(em, clinic.tenantId, phones, 10)).toEqual([]);
});

test('calls stored under a stand-in are parted before a patient’s rows are looked for by phone', async () => {
  const { tenantId } = clinic;
  await aStartedCall(client);
  const id = await aStartedCall(client, { fromNumber: null });
  const standIn = phoneHash({ tenantId, e164: '+266696687' });
  const em = api.database.em();
  await em.execute('UPDATE call SET from_number_hash = ? WHERE id = ?', [standIn, id]);
  const [before] = await hashesOfCallers();
  await rehashPhonesOf(api.database, phoneHash, tenantId);
  const [same, parted] = await hashesOfCallers();
  expect(same).toBe(before);
  expect(parted).toMatch(/^[0-9a-f]{64}$/);
  expect(await findCallsOfPhones(em, tenantId, [standIn], 10)).toEqual([]);
});

test('a key that may not read calls is told what it sent', async () => {
  const writer = createApiClient(
    api.url,
    await api.keyOf({ tenantId: clinic.tenantId, scopes: ['calls:write'] }),
  );
  const body = aCallBody({ fromNumber: 'RESTRICTED' });
  const started = await writer.send('PUT', `/v1/calls/${uuidv7()}`, { body });
  expect(started).toMatchObject({ status: 201, body: { fromNumber: 'anonymous' } });
});

test.each([
  ['book', '+266696687'],
  ['book', '+86282452253'],
  ['book', '+999123456789'],
  ['book', '+3519'],
  ['find_appointments', '+266696687'],
])('the tool %s asks for the phone in place of %s', async (name, patientPhone) => {
  const params = { name, arguments: { ...bookingBody(clinic, inHours(30)), patientPhone } };
  if (name === 'find_appointments') Object.assign(params, { arguments: { patientPhone } });
  const { body } = await client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(body).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: 'validation_failed', errors: [{ path: 'patientPhone' }] },
    },
  });
  expect(JSON.stringify(body)).not.toContain(patientPhone);
});
