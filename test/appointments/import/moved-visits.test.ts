import { beforeEach, expect, test } from '@jest/globals';
import { createApiClient, type ApiClient } from '../../support/api-client.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import { createImporter, type Importer } from './imported-visits.ts';
import { storedEvents } from '../../support/stored/stored-events.ts';

let clinic: TestClinic;
let client: ApiClient;
let importer: Importer;

const api = await suiteApi();
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

test('a no-show is not confirmed again at a past time, with any professional', async () => {
  const missed = importer.aVisit('m-1', { status: 'no_show' });
  await importer.bringIn([missed]);
  const again = { ...missed, status: 'confirmed', professionalId: clinic.professionalIds[1] };
  expect(await importer.bringIn([again])).toMatchObject([
    { result: 'refused', error: 'validation_failed', errors: [{ path: 'body.items.0.status' }] },
  ]);
  expect(await importer.theOne('m-1')).toMatchObject([
    { status: 'no_show', professionalId: clinic.professionalIds[0] },
  ]);
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

test('one that is cancelled with its move needs no free time, and receivers get both events', async () => {
  const visit = importer.aVisit('m-1', { startsAt: inHours(30).toISOString(), status: 'confirmed' });
  const other = importer.aVisit('m-2', { startsAt: inHours(32).toISOString(), status: 'confirmed' });
  await importer.bringIn([visit, other]);
  const moved = { ...visit, startsAt: other['startsAt'], status: 'cancelled' };
  expect(await importer.resultsOf([moved], { events: true })).toEqual(['updated']);
  expect(await importer.theOne('m-1')).toMatchObject([{ startsAt: other['startsAt'], status: 'cancelled' }]);
  const events = await storedEvents(api.database, { tenantId: clinic.tenantId });
  expect(events.map(({ type }) => type)).toEqual(['appointment.rescheduled', 'appointment.cancelled']);
});

test('a past one can be moved to an inactive professional and service', async () => {
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

test('a past one is not moved to a service that the clinic does not have', async () => {
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

test.each([30, -30])(
  'a whole afternoon is moved by %s minutes, in whatever order its visits come',
  async (by) => {
    const at = (minutes: number) => new Date(inHours(50).getTime() + minutes * 60_000).toISOString();
    const visits = [0, 1, 2, 3].map((nr) =>
      importer.aVisit(`m-${nr}`, { startsAt: at(nr * 30), status: 'confirmed' }),
    );
    await importer.bringIn(visits);
    const moved = visits.map((visit, nr) => ({ ...visit, startsAt: at(nr * 30 + by) }));
    expect(await importer.resultsOf([moved[2], moved[0], moved[3], moved[1]])).toEqual([
      'updated',
      'updated',
      'updated',
      'updated',
    ]);
    expect(await importer.resultsOf(moved)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
  },
);

test('a visit takes the time of one that moves to someone else, and lasts into that of one that moves on', async () => {
  const at = (minutes: number) => new Date(inHours(50).getTime() + minutes * 60_000).toISOString();
  const [one, other] = clinic.professionalIds;
  const visits = [
    importer.aVisit('m-1', { professionalId: other, startsAt: at(0), status: 'confirmed' }),
    importer.aVisit('m-2', { professionalId: one, startsAt: at(0), status: 'confirmed' }),
    importer.aVisit('m-3', { professionalId: other, startsAt: at(30), status: 'confirmed' }),
    importer.aVisit('m-4', { professionalId: one, startsAt: at(60), endsAt: at(75), status: 'confirmed' }),
    importer.aVisit('m-5', { professionalId: one, startsAt: at(75), status: 'confirmed' }),
  ];
  await importer.bringIn(visits);
  const moved = [
    { ...visits[0], professionalId: one },
    { ...visits[1], professionalId: other, startsAt: at(30) },
    { ...visits[2], startsAt: at(90) },
    { ...visits[3], endsAt: at(90) },
    { ...visits[4], startsAt: at(120) },
  ];
  expect(await importer.resultsOf(moved)).toEqual(['updated', 'updated', 'updated', 'updated', 'updated']);
});

test('those that change places do so together', async () => {
  const places = [50, 51, 52].map((hour) => inHours(hour).toISOString());
  const visits = places.map((startsAt, nr) => importer.aVisit(`m-${nr}`, { startsAt, status: 'confirmed' }));
  await importer.bringIn(visits);
  const round = visits.map((visit, nr) => ({ ...visit, startsAt: places[(nr + 1) % 3] }));
  expect(await importer.resultsOf(round)).toEqual(['updated', 'updated', 'updated']);
  expect(await importer.resultsOf(round)).toEqual(['unchanged', 'unchanged', 'unchanged']);
});

test('of two that cannot change places neither is moved', async () => {
  const [one, gone = ''] = clinic.professionalIds;
  const startsAt = inHours(50).toISOString();
  const visits = [
    importer.aVisit('m-1', { professionalId: one, startsAt, status: 'confirmed' }),
    importer.aVisit('m-2', { professionalId: gone, startsAt, status: 'confirmed', patientName: 'Rui Costa' }),
  ];
  await importer.bringIn(visits);
  await client.patch(`/v1/professionals/${gone}`, { active: false });
  const swapped = [
    { ...visits[0], professionalId: gone },
    { ...visits[1], professionalId: one },
  ];
  const results = await importer.resultsOf(swapped);
  expect(results.toSorted()).toEqual(['professional_inactive', 'slot_conflict']);
  expect(await importer.resultsOf(visits)).toEqual(['unchanged', 'unchanged']);
  const taken = await client.post(
    '/v1/appointments',
    bookingBody(clinic, inHours(50), { patientName: 'Eva Reis' }),
  );
  expect([taken.status, taken.body['error']]).toEqual([409, 'slot_conflict']);
});
