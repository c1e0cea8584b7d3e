import { expect, test } from '@jest/globals';
import { importAppointments } from '../../../commands/appointments/import/import-appointments.ts';
import { asOperator, book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';

const dashboard = await suiteDashboard();

const ANOTHER = { patientName: 'João Pires', patientPhoneHash: 'b'.repeat(64) };

let hours = 24;
function aTime(): Date {
  hours += 2;
  return inHours(hours);
}

interface Booked {
  id: string;
  startsAt: Date;
  externalId: string;
}

async function booked(): Promise<Booked> {
  const [startsAt, externalId] = [aTime(), `visit-${hours}`];
  const { id } = await book(dashboard.database, dashboard.clinic, { startsAt, externalId });
  return { id, startsAt, externalId };
}

const edit = (id: string, changes: Parameters<typeof change>[3]) =>
  change(dashboard.database, dashboard.clinic, id, changes);

function imported({ externalId }: Booked, startsAt: Date) {
  const { tenantId, professionalIds, serviceTypeId } = dashboard.clinic;
  const visit = { externalId, startsAt, professionalId: professionalIds[0] ?? '', serviceTypeId, ...ANOTHER };
  const run = { tenantId, context: asOperator() };
  return dashboard.database.write((em) => importAppointments(em, [visit], run));
}

/** What each door of the link answers. */
async function doorsOf({ id }: Pick<Booked, 'id'>): Promise<number[]> {
  const { links } = dashboard.dependencies;
  const address = `${dashboard.url}/book/a/${links.tokenOf(id)}`;
  const patient = dashboard.stranger();
  const time = `${aTime().toISOString()}/${dashboard.clinic.professionalIds[0]}`;
  const pages = [
    await patient.get(address),
    await patient.get(`${address}/cancel`),
    await patient.get(`${address}/move`),
    await patient.get(`${address}/visit.ics`),
    await patient.post(`${address}/move`, { time, version: id }),
    await patient.post(`${address}/cancel`, { version: id }),
  ];
  return pages.map(({ status }) => status);
}

const ENDED = [404, 404, 404, 404, 404, 404];

const toAnother: [string, (visit: Booked) => Promise<unknown>][] = [
  ['in one change', ({ id }) => edit(id, ANOTHER)],
  [
    'in two changes',
    async ({ id }) => {
      await edit(id, { patientName: ANOTHER.patientName });
      await edit(id, { patientPhoneHash: ANOTHER.patientPhoneHash });
    },
  ],
  ['together with a move', ({ id }) => edit(id, { ...ANOTHER, startsAt: aTime() })],
  [
    'after a move',
    async ({ id }) => {
      const { replacement } = await edit(id, { startsAt: aTime() });
      await edit(replacement?.id ?? '', ANOTHER);
    },
  ],
  ['by an import', (visit) => imported(visit, visit.startsAt)],
  ['by an import that moves it', (visit) => imported(visit, aTime())],
];

test.each(toAnother)('a link ends when the visit is given to another patient %s', async (_, give) => {
  const visit = await booked();
  await give(visit);
  expect(await doorsOf(visit)).toEqual(ENDED);
  const [now] = (await storedAppointments(dashboard.database, { externalId: visit.externalId })).filter(
    ({ status }) => status !== 'rescheduled',
  );
  expect(now).toMatchObject({ status: 'confirmed', ...ANOTHER });
});

test.each([
  ['name', { patientName: 'Maria dos Santos' }],
  ['phone', { patientPhoneHash: 'c'.repeat(64) }],
])('a corrected %s alone leaves the link', async (_, correction) => {
  const visit = await booked();
  await edit(visit.id, correction);
  expect(await doorsOf(visit)).toEqual([200, 200, 200, 200, 200, 200]);
});

test('reception changes the patient on the page of the appointment, and the link ends', async () => {
  const visit = await booked();
  const rita = await dashboard.person('rita');
  const action = `/appointments/${visit.id}/edit`;
  await rita.get(action);
  await rita.submit(action, { patientName: 'João Pires', patientPhone: '+351917654321' });
  expect(await doorsOf(visit)).toEqual(ENDED);
});
