import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { addUpUsage } from '../../db/clinic/stored-usage.ts';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import { createApiClient, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';

let api: TestApi;
let clinic: TestClinic;
let client: ApiClient;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  clinic = await aClinic(api.database, { professionals: 1 });
  client = createApiClient(api.url, await aKey(api.database, clinic.tenantId));
});

const said = ({ status, body }: ApiAnswer) => [status, body['error']];
const FULL = [409, 'clinic_limit_reached'];

const limit = (limits: Partial<TenantRow>) =>
  api.database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, limits);
const addUp = async () => {
  while ((await addUpUsage(api.database.em(), 5000)) > 0);
};

async function usage(): Promise<unknown> {
  await addUp();
  const [row] = await api.database.em().execute(
    `SELECT appointments::integer, calls::integer, recording_bytes::integer AS bytes
     FROM clinic_usage WHERE tenant_id = ?`,
    [clinic.tenantId],
  );
  return row;
}

const book = (hours: number) => client.post('/v1/appointments', bookingBody(clinic, inHours(hours)));
const call = (id: string) =>
  client.send('PUT', `/v1/calls/${id}`, {
    body: {
      fromNumber: '+351911111111',
      toNumber: '+351211111111',
      startedAt: '2026-03-02T12:00:00Z',
    },
  });
const visit = (externalId: string, hours: number) => ({
  ...bookingBody(clinic, inHours(hours)),
  source: undefined,
  externalId,
});

test('bookings and new items of imports end at the limit; moves, changes and reinstatements do not', async () => {
  const first = await book(30);
  const id = String(first.body['id']);
  const known = await client.post('/v1/appointments/import', { items: [visit('known', 50)] });
  expect([first.status, known.status]).toEqual([201, 200]);
  await limit({ maxAppointments: 2 });
  await addUp();
  expect(said(await book(31))).toEqual(FULL);
  const held = await client.post('/v1/slot-holds', {
    professionalId: clinic.professionalIds[0],
    serviceTypeId: clinic.serviceTypeId,
    startsAt: inHours(33),
  });
  expect(held.status).toBe(201);
  const imported = await client.post('/v1/appointments/import', {
    items: [{ ...visit('known', 50), patientNotes: 'other' }, visit('new', 55)],
  });
  expect(imported.body['items']).toMatchObject([
    { result: 'updated' },
    { result: 'refused', error: 'clinic_limit_reached' },
  ]);
  const moved = await client.patch(`/v1/appointments/${id}`, { startsAt: inHours(40) });
  expect(moved.status).toBe(200);
  const replacement = String(moved.body['rescheduledToId'] ?? moved.body['id']);
  expect((await client.delete(`/v1/appointments/${replacement}`)).status).toBeLessThan(300);
  const reinstated = await client.post(`/v1/appointments/${replacement}/reinstate`, {});
  expect(reinstated.status).toBe(200);
  await limit({ maxAppointments: 100 });
  expect((await book(31)).status).toBe(201);
});

test('new calls end at the limit, repeats and ends of calls do not', async () => {
  const id = uuidv7();
  expect((await call(id)).status).toBe(201);
  await limit({ maxCalls: 1 });
  await addUp();
  expect(said(await call(uuidv7()))).toEqual(FULL);
  expect((await call(id)).status).toBe(200);
  expect(await usage()).toEqual({ appointments: 0, calls: 1, bytes: 0 });
});

test('uploads of recordings end at the limit, and what is erased makes room', async () => {
  const id = uuidv7();
  await call(id);
  const upload = (bytes: number, query = '') =>
    client.send('PUT', `/v1/calls/${id}/recording${query}`, {
      rawBody: randomBytes(bytes),
      headers: { 'content-type': 'audio/mpeg' },
    });
  expect((await upload(5000)).status).toBe(201);
  expect(await usage()).toEqual({ appointments: 0, calls: 1, bytes: 5000 });
  await limit({ maxRecordingGib: 0 });
  expect(said(await upload(3000, '?replace=true'))).toEqual(FULL);
  expect((await client.delete(`/v1/calls/${id}/recording`)).status).toBe(204);
  expect(await usage()).toEqual({ appointments: 0, calls: 1, bytes: 0 });
});

test('a hold counts when it becomes an appointment', async () => {
  const hold = await client.post('/v1/slot-holds', {
    professionalId: clinic.professionalIds[0],
    serviceTypeId: clinic.serviceTypeId,
    startsAt: inHours(33),
  });
  expect(await usage()).toBeUndefined();
  const body = { ...bookingBody(clinic, inHours(33)), holdId: hold.body['id'] };
  expect((await client.post('/v1/appointments', body)).status).toBe(201);
  expect(await usage()).toEqual({ appointments: 1, calls: 0, bytes: 0 });
});
