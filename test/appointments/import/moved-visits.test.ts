import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createApiClient, type ApiClient } from '../../support/api-client.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';
import { aClinic, inHours, type TestClinic } from '../../support/clinic.ts';
import { createImporter, type Importer } from './imported-visits.ts';
import { storedEvents } from '../../support/stored-events.ts';

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

test.each(['cancelled', 'no_show'])(
  'one that is %s is moved to a time that another one has',
  async (status) => {
    const [startsAt, to] = [inHours(-300).toISOString(), inHours(-200).toISOString()];
    const visit = importer.aVisit('m-1', { startsAt, status });
    const other = importer.aVisit('m-2', { startsAt: to });
    await importer.bringIn([visit, other]);
    const moved = { ...visit, startsAt: to };
    expect(await importer.resultsOf([moved, other])).toEqual(['updated', 'unchanged']);
    expect(await importer.theOne('m-1')).toMatchObject([{ startsAt: to, status }]);
    expect(await importer.resultsOf([moved, other])).toEqual(['unchanged', 'unchanged']);
  },
);

test('one that is called off with its move needs no free time, and receivers hear of both', async () => {
  const visit = importer.aVisit('m-1', { startsAt: inHours(30).toISOString(), status: 'confirmed' });
  const other = importer.aVisit('m-2', { startsAt: inHours(32).toISOString(), status: 'confirmed' });
  await importer.bringIn([visit, other]);
  const moved = { ...visit, startsAt: other['startsAt'], status: 'cancelled' };
  expect(await importer.resultsOf([moved], { events: true })).toEqual(['updated']);
  expect(await importer.theOne('m-1')).toMatchObject([{ startsAt: other['startsAt'], status: 'cancelled' }]);
  const events = await storedEvents(api.database, { tenantId: clinic.tenantId });
  expect(events.map(({ type }) => type)).toEqual(['appointment.rescheduled', 'appointment.cancelled']);
});

test('one that is over is moved to somebody who has left and to what is offered no longer', async () => {
  const [, gone = ''] = clinic.professionalIds;
  const visit = importer.aVisit('m-1', { serviceTypeId: undefined, endsAt: inHours(-699).toISOString() });
  const past = { ...visit, startsAt: inHours(-700).toISOString() };
  const ahead = importer.aVisit('m-2', { startsAt: inHours(30).toISOString(), status: 'confirmed' });
  await importer.bringIn([past, ahead]);
  await client.patch(`/v1/professionals/${gone}`, { active: false });
  await client.patch(`/v1/services/${clinic.serviceTypeId}`, { active: false });
  const { serviceTypeId } = clinic;
  const items = [
    { ...past, professionalId: gone, serviceTypeId },
    { ...ahead, professionalId: gone },
  ];
  expect(await importer.resultsOf(items)).toEqual(['updated', 'professional_inactive']);
  expect(await importer.theOne('m-1')).toMatchObject([
    { professionalId: gone, serviceTypeId, status: 'attended' },
  ]);
});

test('one that is over is not moved to a service that the clinic does not have', async () => {
  const visit = importer.aVisit('m-1');
  await importer.bringIn([visit]);
  const moved = {
    ...visit,
    startsAt: inHours(-700).toISOString(),
    serviceTypeId: '00000000-0000-0000-0000-000000000000',
  };
  expect(await importer.bringIn([moved])).toMatchObject([
    { result: 'refused', error: 'validation_failed', errors: [{ path: 'body.items.0.serviceTypeId' }] },
  ]);
});
