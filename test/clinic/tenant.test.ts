import { describe, expect, test, beforeEach } from '@jest/globals';
import { createApiClient, wrongPathsIn, type ApiClient, type ApiAnswer } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic, aKey, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { addUpUsage } from '../../db/clinic/stored-usage.ts';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';

const PATH = '/v1/tenants/me';
const START_CONFIG = { timezone: 'Europe/Lisbon', voice: 'sofia', custom: { deep: [1, 2] } };

let client: ApiClient;
let tenantId: string;

const api = await suiteApi();

async function aFreshClinic(): Promise<void> {
  ({ tenantId } = await aClinic(api.database, { config: START_CONFIG }));
  client = createApiClient(api.url, await api.keyOf({ tenantId }));
}

async function configEvents(): Promise<unknown[]> {
  const events = await storedEvents(api.database, { tenantId });
  return events.map(({ type, body }) => ({ type, data: (JSON.parse(body ?? '') as { data: unknown }).data }));
}

describe('settings', () => {
  test('are those of the key’s clinic', async () => {
    await aFreshClinic();
    const answer = await client.get(PATH);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: tenantId, config: START_CONFIG, plan: 'basic', status: 'trial' });
  });

  test('change where they are given and stay where they are not', async () => {
    await aFreshClinic();
    const slug = `clinic-${tenantId}`;
    const body = { name: 'Nova Clínica', specialty: 'physio', publicSlug: slug, publicBookingEnabled: true };
    expect((await client.patch(PATH, body)).body).toMatchObject({ ...body, config: START_CONFIG });
    expect((await client.patch(PATH, { publicSlug: null })).body).toMatchObject({
      ...body,
      publicSlug: null,
    });
    expect(await configEvents()).toEqual([]);
  });

  test('of config are replaced key by key, with one event that names them', async () => {
    await aFreshClinic();
    const change = { voiceSpeed: 1.5, custom: { other: true }, fallbackHumanNumber: null, voice: null };
    const answer = await client.patch(PATH, { config: change });
    const config = {
      timezone: 'Europe/Lisbon',
      custom: { other: true },
      voiceSpeed: 1.5,
      fallbackHumanNumber: null,
    };
    expect(answer.body['config']).toEqual(config);
    expect(await configEvents()).toEqual([
      {
        type: 'tenant.config_updated',
        data: { config, changedKeys: ['custom', 'fallbackHumanNumber', 'voice', 'voiceSpeed'] },
      },
    ]);
  });

  test('that are equal to what is stored cause nothing', async () => {
    await aFreshClinic();
    const before = await client.get(PATH);
    for (const body of [{}, { config: {} }, { config: START_CONFIG }, { name: before.body['name'] }]) {
      expect((await client.patch(PATH, body)).body).toEqual(before.body);
    }
    expect(await configEvents()).toEqual([]);
  });

  test.each([
    ['Mars/Olympus', 'timezone'],
    ['+01:00', 'timezone'],
    ['local', 'timezone'],
    [{ mon: [['13:00', '09:00']] }, 'businessHours.mon.0'],
    [{ mon: [['9', '10']] }, 'businessHours.mon.0.0'],
    [{ monday: [] }, 'businessHours.monday'],
    [
      {
        mon: [
          ['14:00', '18:00'],
          ['09:00', '14:01'],
        ],
      },
      'businessHours.mon',
    ],
    [{ '2026-02-30': [] }, 'specialHours.2026-02-30'],
    [{ '2026-12-24': ['09:00', '12:00'] }, 'specialHours.2026-12-24.0'],
    [
      {
        '2026-12-24': [
          ['09:00', '12:00'],
          ['11:00', '13:00'],
        ],
      },
      'specialHours.2026-12-24',
    ],
    [[], 'specialHours'],
  ])('%j is not a good %s', async (value, path) => {
    await aFreshClinic();
    const key = path.split('.')[0] ?? '';
    const answer = await client.patch(PATH, { config: { [key]: value } });
    expect([answer.status, wrongPathsIn(answer)[0]]).toEqual([422, `body.config.${path}`]);
  });

  test('cannot outgrow their room', async () => {
    await aFreshClinic();
    expect((await client.patch(PATH, { config: { a: 'x'.repeat(40_000) } })).status).toBe(200);
    const answer = await client.patch(PATH, { config: { b: 'x'.repeat(40_000) } });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, ['body.config']]);
  });

  test('a public slug belongs to one clinic', async () => {
    await aFreshClinic();
    const publicSlug = `taken-${tenantId}`;
    await client.patch(PATH, { publicSlug });
    await aFreshClinic();
    const answer = await client.patch(PATH, { publicSlug, config: { voice: 'rui' } });
    expect([answer.status, answer.body['error']]).toEqual([409, 'public_slug_taken']);
    expect((await client.get(PATH)).body).toMatchObject({ publicSlug: null, config: START_CONFIG });
  });
});

let clinic: TestClinic;
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
