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

test('a check-in and a reason that the item leaves out stay with a visit that is moved', async () => {
  const attended = importer.aVisit('m-1', { checkedInAt: inHours(-500).toISOString() });
  const cancelled = importer.aVisit('m-2', { status: 'cancelled', reason: 'patient_requested' });
  await importer.bringIn([attended, cancelled]);
  const [, professionalId] = clinic.professionalIds;
  const moved = [
    { ...attended, checkedInAt: undefined, professionalId },
    { ...cancelled, reason: undefined, status: undefined, professionalId },
  ];
  expect(await importer.resultsOf(moved)).toEqual(['updated', 'updated']);
  expect(await importer.theOne('m-1')).toMatchObject([
    { professionalId, checkedInAt: attended['checkedInAt'] },
  ]);
  expect(await importer.theOne('m-2')).toMatchObject([
    { professionalId, status: 'cancelled', cancellationReason: 'patient_requested' },
  ]);
});

test('a service that is taken away is gone with the move, and a repeat changes nothing', async () => {
  const visit = importer.aVisit('m-1');
  await importer.bringIn([visit]);
  const [startsAt, endsAt] = [inHours(-400).toISOString(), inHours(-399).toISOString()];
  const moved = { ...visit, serviceTypeId: null, startsAt, endsAt };
  expect(await importer.resultsOf([moved])).toEqual(['updated']);
  expect(await importer.theOne('m-1')).toMatchObject([{ serviceTypeId: null, startsAt, endsAt }]);
  expect(await importer.resultsOf([moved])).toEqual(['unchanged']);
});
