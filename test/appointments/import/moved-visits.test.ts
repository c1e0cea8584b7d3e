import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createApiClient, type ApiClient } from '../../support/api-client.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';
import { aClinic, inHours, type TestClinic } from '../../support/clinic.ts';
import { createImporter, type Importer } from './imported-visits.ts';

let api: TestApi;
let clinic: TestClinic;
let client: ApiClient;
let importer: Importer;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  clinic = await aClinic(api.database, { professionals: 2 });
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  importer = createImporter(client, clinic);
});

test.each(['cancelled', 'attended'])(
  'one that was moved here and then %s is not brought back by an older copy',
  async (status) => {
    const older = importer.aVisit('m-1', { status: 'confirmed', startsAt: inHours(30).toISOString() });
    const moved = await client.patch(`/v1/appointments/${await importer.idOf(older)}`, {
      startsAt: inHours(32).toISOString(),
    });
    const { id } = moved.body['replacement'] as { id: string };
    await client.patch(`/v1/appointments/${id}`, { status });
    expect(await importer.bringIn([older])).toMatchObject([
      { result: 'refused', error: 'invalid_status_transition', errors: [{ path: 'body.items.0.status' }] },
    ]);
    expect(await importer.theOne('m-1')).toMatchObject([{ id, status, startsAt: inHours(32).toISOString() }]);
  },
);

test('one that was missed is confirmed at the new time for which the other system has it', async () => {
  const missed = importer.aVisit('m-1', { status: 'no_show' });
  await importer.bringIn([missed]);
  const again = { ...missed, status: 'confirmed', startsAt: inHours(40).toISOString() };
  expect(await importer.resultsOf([again])).toEqual(['updated']);
  expect(await importer.theOne('m-1')).toMatchObject([{ status: 'confirmed', startsAt: again.startsAt }]);
});
