import { expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { expectDocumented } from '../../docs/documented-event.ts';
import { book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';
import { storedEvents } from '../../support/stored/stored-events.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { confirm, isConfirmed, move, callToChange } = SELF_SERVICE_WORDS.en;

let hours = 24;

async function aVisit(changes: Parameters<typeof book>[2] = {}) {
  hours += 2;
  const { id } = await book(database, clinic, { startsAt: inHours(hours), ...changes });
  return { id, address: addressOf(id) };
}

const addressOf = (id: string) => `/book/a/${dashboard.dependencies.links.tokenOf(id)}`;

const letPatientsBook = (publicBookingEnabled: boolean) =>
  database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, { publicBookingEnabled });

const stored = async (id: string) => (await storedAppointments(database, { id }))[0];

const updates = (appointmentId: string) =>
  storedEvents(database, { appointmentId, type: 'appointment.updated' });

test.each([true, false])(
  'one press says that the patient will come, and a second changes nothing; online booking: %s',
  async (isBookable) => {
    await letPatientsBook(isBookable);
    const { id, address } = await aVisit();
    const patient = dashboard.stranger();
    expect((await patient.get(address)).text).toContain(confirm);
    const page = await patient.submit(`${address}/confirm`);
    expect([page.status, page.url.pathname]).toEqual([200, address]);
    expect(page.text).toContain(isConfirmed);
    expect(page.text).not.toContain(confirm);
    const confirmed = await stored(id);
    expect(confirmed).toMatchObject({
      status: 'confirmed',
      version: 2,
      patientConfirmedAt: confirmed?.updatedAt,
    });
    await patient.post(`${address}/confirm`, { version: id });
    expect(await stored(id)).toEqual(confirmed);
    const [event, ...others] = await updates(id);
    expectDocumented('appointment.updated', event?.body ?? '');
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      data: {
        changes: ['patientConfirmedAt'],
        appointment: { version: 2, patientConfirmedAt: confirmed?.patientConfirmedAt?.toISOString() },
        actor: { type: 'patient', id: null },
      },
    });
    expect(others).toEqual([]);
  },
);

test('without online booking, the patient can neither move nor cancel, and the page says to call', async () => {
  await letPatientsBook(false);
  const { id, address } = await aVisit();
  const patient = dashboard.stranger();
  const { text } = await patient.get(address);
  expect(text).toContain(callToChange);
  expect(text).not.toContain(`>${move}</a>`);
  const time = `${inHours(hours + 1).toISOString()}/${clinic.professionalIds[0]}`;
  const pages = [
    await patient.get(`${address}/move`),
    await patient.get(`${address}/cancel`),
    await patient.post(`${address}/move`, { version: id, time }),
    await patient.post(`${address}/cancel`, { version: id }),
  ];
  expect(pages.map(({ url }) => url.pathname)).toEqual(Array(4).fill(address));
  expect(await stored(id)).toMatchObject({ status: 'confirmed', version: 1, rescheduledToId: null });
});

test('a move clears it, and the page of the old time does not confirm the new one', async () => {
  await letPatientsBook(true);
  const { id, address } = await aVisit();
  const patient = dashboard.stranger();
  await patient.get(address);
  await patient.submit(`${address}/confirm`);
  const { replacement } = await change(database, clinic, id, { startsAt: inHours(hours + 1) });
  hours += 2;
  expect(replacement).toMatchObject({ patientConfirmedAt: null });
  await patient.post(`${address}/confirm`, { version: id });
  expect(await stored(replacement?.id ?? '')).toMatchObject({ patientConfirmedAt: null, version: 1 });
  await patient.get(address);
  await patient.submit(`${address}/confirm`);
  expect((await stored(replacement?.id ?? ''))?.patientConfirmedAt).not.toBeNull();
});

test.each([
  ['notes', { patientNotes: 'Prefers mornings' }, true],
  ['the name', { patientName: 'Ana Lopes' }, true],
  ['the phone', { patientPhoneHash: 'b'.repeat(64) }, false],
] as const)('a change of %s keeps it, unless someone else is called: %#', async (_, changes, isKept) => {
  const { id, address } = await aVisit();
  const patient = dashboard.stranger();
  await patient.get(address);
  await patient.submit(`${address}/confirm`);
  await change(database, clinic, id, changes);
  expect((await stored(id))?.patientConfirmedAt !== null).toBe(isKept);
});

test.each(['cancelled', 'attended'] as const)('a %s appointment is not confirmed', async (status) => {
  const { id, address } = await aVisit();
  const patient = dashboard.stranger();
  await patient.get(address);
  await change(database, clinic, id, { status });
  await patient.submit(`${address}/confirm`);
  expect(await stored(id)).toMatchObject({ status, patientConfirmedAt: null });
});

test('an appointment that has begun is not confirmed', async () => {
  const { id, address } = await aVisit({ startsAt: inHours(0), mayBackdate: true });
  const patient = dashboard.stranger();
  await patient.post(`${address}/confirm`, { version: id });
  expect(await stored(id)).toMatchObject({ status: 'confirmed', patientConfirmedAt: null });
});

test('many presses at once confirm once', async () => {
  const { id, address } = await aVisit();
  const patient = dashboard.stranger();
  await Promise.all(Array.from({ length: 5 }, () => patient.post(`${address}/confirm`, { version: id })));
  expect([await stored(id), await updates(id)]).toMatchObject([{ version: 2 }, { length: 1 }]);
});
