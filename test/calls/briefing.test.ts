import { beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import { STAND_INS } from '../../domain/calls/withheld-number.ts';
import { createApiClient, type ApiClient } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aStartedCall, CALLER } from './call-builders.ts';

const OLD_KEY = Buffer.alloc(32, 6);
const NEW_KEY = Buffer.alloc(32, 7);
const before = createPhoneHash({ current: OLD_KEY });

const api = await suiteApi({ phoneHash: createPhoneHash({ current: NEW_KEY, previous: [OLD_KEY] }) });
let clinic: TestClinic;
let client: ApiClient;

beforeEach(async () => {
  clinic = await aClinic(api.database, { professionals: 2 });
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
});

type Json = Record<string, unknown>;

async function briefingOf(id: string): Promise<Json> {
  const { status, body } = await client.get(`/v1/calls/${id}/briefing`);
  expect(status).toBe(200);
  return body;
}

const namesIn = ({ appointments }: Json) =>
  (appointments as { patientName: string }[]).map(({ patientName }) => patientName);

async function booked(hours: number, changes: Json = {}): Promise<string> {
  const body = bookingBody(clinic, inHours(hours), { patientPhone: CALLER, ...changes });
  const { status, body: answer } = await client.post('/v1/appointments', body);
  expect(status).toBe(201);
  return String(answer['id']);
}

test('a briefing has the clinic, the time, the services and the caller’s next appointments', async () => {
  const config = { greeting: 'Bom dia.', fallbackHumanNumber: '+351210000001', language: 'en' };
  await client.patch('/v1/tenants/me', { name: 'Clínica Sol', config });
  const wanted = { name: 'Aligners', durationMinutes: 60, priceEur: '50.00' };
  const service = await client.post('/v1/services', wanted);
  const gone = await client.post('/v1/services', { ...wanted, name: 'Amalgam', active: false });
  expect([service.status, gone.status]).toEqual([201, 201]);
  const id = await booked(30);
  const briefing = await briefingOf(await aStartedCall(client));
  expect(Object.keys(briefing)).toEqual([
    'clinic',
    'now',
    'open',
    'nextOpeningAt',
    'greeting',
    'language',
    'transferTo',
    'services',
    'appointments',
  ]);
  expect(briefing).toMatchObject({
    clinic: { id: clinic.tenantId, name: 'Clínica Sol' },
    now: { at: expect.any(String), local: expect.any(String), timezone: 'Europe/Lisbon' },
    open: true,
    nextOpeningAt: null,
    greeting: 'Bom dia.',
    language: 'en',
    transferTo: '+351210000001',
    appointments: [
      {
        id,
        startsAt: inHours(30).toISOString(),
        serviceTypeId: clinic.serviceTypeId,
        professionalId: clinic.professionalIds[0],
        localStart: expect.any(String),
        spoken: expect.stringMatching(/day, /),
      },
    ],
  });
  const { id: serviceId } = service.body;
  expect(briefing['services']).toMatchObject([{ id: serviceId, ...wanted }, { id: clinic.serviceTypeId }]);
});

test('while the clinic is closed it says when it opens, and transfers to no one', async () => {
  const businessHours = {};
  const tomorrow = inHours(24).toISOString().slice(0, 10);
  const specialHours = { [tomorrow]: [['00:00', '24:00']] };
  const timezone = 'UTC';
  const config = { timezone, businessHours, specialHours, fallbackHumanNumber: '+351210000001' };
  await client.patch('/v1/tenants/me', { config });
  expect(await briefingOf(await aStartedCall(client))).toMatchObject({
    open: false,
    nextOpeningAt: `${tomorrow}T00:00:00.000Z`,
    greeting: null,
    transferTo: null,
  });
});

test('the appointments are the next ten confirmed ones of everyone with that phone, soonest first', async () => {
  const later = Array.from({ length: 11 }, (_, at) => ({ patientName: `Ana ${at}`, hours: 40 + 2 * at }));
  for (const { patientName, hours } of later.toReversed()) await booked(hours, { patientName });
  const cancelled = await booked(30, { patientName: 'Cancelled' });
  await client.patch(`/v1/appointments/${cancelled}`, { status: 'cancelled' });
  const past = await booked(32, { patientName: 'Past' });
  await api.database.em().execute(
    `UPDATE calendar_entry SET starts_at = now() - interval '1 hour', ends_at = now() - interval '30 minutes',
       block_from = now() - interval '1 hour', block_until = now() - interval '30 minutes' WHERE id = ?`,
    [past],
  );
  await booked(34, { patientName: 'Other', patientPhone: '+351919999999' });
  await booked(36, { patientName: 'Rui', professionalId: clinic.professionalIds[1] });
  expect(namesIn(await briefingOf(await aStartedCall(client)))).toEqual([
    'Rui',
    ...later.slice(0, 9).map(({ patientName }) => patientName),
  ]);
});

test('a withheld or unknown number has no appointments', async () => {
  await booked(30, { patientPhone: STAND_INS.find((number) => number.startsWith('+')) ?? '' });
  for (const fromNumber of [null, ...STAND_INS, '+351918888888'])
    expect(await briefingOf(await aStartedCall(client, { fromNumber }))).toMatchObject({ appointments: [] });
});

test('appointments are found while the keys of phone hashes are being rotated', async () => {
  const id = await booked(30);
  const hash = before({ tenantId: clinic.tenantId, e164: CALLER });
  await api.database
    .em()
    .execute('UPDATE calendar_entry SET patient_phone_hash = ? WHERE id = ?', [hash, id]);
  expect(await briefingOf(await aStartedCall(client))).toMatchObject({ appointments: [{ id }] });
});

test('an erased caller has none', async () => {
  const id = await aStartedCall(client);
  await booked(30);
  const seal = await api.database.ciphers.of(clinic.tenantId);
  const place = { purpose: 'call-number' as const, tenantId: clinic.tenantId, context: `${id}:from` };
  await api.database
    .em()
    .execute('UPDATE call SET from_number_sealed = ? WHERE id = ?', [seal.encrypt('', place), id]);
  expect(await briefingOf(id)).toMatchObject({ appointments: [] });
});

test('the tool gives an agent the same', async () => {
  await booked(30);
  const id = await aStartedCall(client);
  const params = { name: 'briefing', arguments: { id } };
  const { body } = await client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { structuredContent } = body['result'] as { structuredContent: Json };
  const { now: _now, ...told } = await briefingOf(id);
  expect(structuredContent).toMatchObject(told);
  expect(structuredContent['now']).toMatchObject({ timezone: 'Europe/Lisbon' });
});

test('only a key that reads calls and appointments of the clinic gets one', async () => {
  const id = await aStartedCall(client);
  for (const scope of ['calls:read', 'appointments:read'] as const) {
    const key = await api.keyOf({ tenantId: clinic.tenantId, scopes: [scope] });
    const answer = await createApiClient(api.url, key).get(`/v1/calls/${id}/briefing`);
    expect([answer.status, answer.body['error']]).toEqual([403, 'insufficient_scope']);
  }
  for (const unknown of [id, uuidv7()])
    expect((await api.client.get(`/v1/calls/${unknown}/briefing`)).status).toBe(404);
});
