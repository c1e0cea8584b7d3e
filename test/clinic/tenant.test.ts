import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiClient, wrongPathsIn, type ApiClient } from '../support/api-client.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { aClinic } from '../support/clinic.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

const PATH = '/v1/tenants/me';
const START_CONFIG = { timezone: 'Europe/Lisbon', voice: 'sofia', custom: { deep: [1, 2] } };

let api: TestApi;
let client: ApiClient;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

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
