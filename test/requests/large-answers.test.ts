import { expect, test } from '@jest/globals';
import { createApiClient } from '../support/api-client.ts';
import { aClinic, aKey } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';

const api = await suiteApi();

const waiting = () =>
  api.database.load().queues.find(({ queue }) => queue === 'large_answers')?.waiting ?? -1;

test('a clinic has one list and one import in the making; its other requests and other clinics do not wait', async () => {
  const { tenantId } = api.clinic;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const held = (['answer', 'body'] as const).map((kind) =>
    api.database.ofClinic(tenantId).large(kind, () => end),
  );
  const list = api.client.get('/v1/appointments?limit=1000');
  const search = api.client.post('/v1/appointments/search', { patientPhone: '+351911111111' });
  const bulk = api.client.post('/v1/appointments/import', { items: [] });
  await until('three wait', async () => waiting() === 3 || null);
  const other = createApiClient(api.url, await aKey(api.database, (await aClinic(api.database)).tenantId));
  const meanwhile = await Promise.all([
    other.get('/v1/appointments'),
    other.get('/v1/professionals'),
    api.client.get('/v1/api-keys/me'),
    api.client.get('/v1/tenants/me'),
  ]);
  expect(meanwhile.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(waiting()).toBe(3);
  resolve();
  await Promise.all(held);
  const answers = await Promise.all([list, search, bulk]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 422]);
});
