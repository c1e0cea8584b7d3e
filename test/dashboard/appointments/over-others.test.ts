import { expect, test } from '@jest/globals';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';

const dashboard = await suiteDashboard();
const { clinic, database } = dashboard;
const { tenantId, serviceTypeId } = clinic;
const professionalId = clinic.professionalIds[0] ?? '';
const rita = await dashboard.person('rita');

const ZONE = 'Europe/Lisbon';
const dayOf = (at: Date) => localDayOf(at, ZONE).date;
const timeOf = (at: Date) =>
  at.toLocaleTimeString('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });
const overIn = (text: string) => /<button name="over" value="([^"]*)">\s*([^<]*?)\s*</.exec(text);

async function only(patientName: string) {
  const rows = await storedAppointments(database, { tenantId }, patientName);
  return rows.filter(({ status }) => status === 'confirmed');
}

test('a taken time can be booked anyway, over the patient who is named, and the day shows both side by side', async () => {
  const at = inHours(24 * 40);
  await book(database, clinic, { startsAt: at, patientName: 'Maria Santos' });
  const asked = `service=${serviceTypeId}&professional=${professionalId}&at=${dayOf(at)}T${timeOf(at)}`;
  const page = await rita.get(`/appointments/new?${asked}`);
  const [, over = '', label] = overIn(page.text) ?? [];
  expect(label).toBe(`Book anyway, over Maria Santos ${timeOf(at)}`);
  const patient = { patientName: 'Squeezed In', patientPhone: '+351 912 345 678' };
  const booked = await rita.post('/appointments/new', {
    ...formOf(page.text, '/appointments/new', patient),
    over,
  });
  const [made] = await only('Squeezed In');
  expect(made).toMatchObject({ startsAt: at, professionalId, overlap: true });
  expect(booked.url.pathname).toBe(`/appointments/${made?.id}`);
  expect(booked.text).toContain('Over other appointments');
  const day = await rita.get(`/appointments?day=${dayOf(at)}`);
  expect(day.text).toMatch(/lane0-2/);
  expect(day.text).toMatch(/lane1-2/);
});

test('an appointment can be moved over another, and is not over itself', async () => {
  const at = inHours(24 * 42);
  const beneath = await book(database, clinic, { startsAt: at, patientName: 'Rui Costa' });
  const moved = await book(database, clinic, { startsAt: inHours(24 * 42 + 2), patientName: 'Moved Over' });
  const address = `/appointments/${moved.id}/move`;
  const page = await rita.get(`${address}?professional=${professionalId}&at=${dayOf(at)}T${timeOf(at)}`);
  const [, over = '', label] = overIn(page.text) ?? [];
  expect(label).toBe(`Reschedule anyway, over Rui Costa ${timeOf(at)}`);
  await rita.post(address, { ...formOf(page.text, address), over });
  expect(await only('Moved Over')).toMatchObject([{ startsAt: at, overlap: true }]);
  const own = await rita.get(
    `/appointments/${beneath.id}/move?professional=${professionalId}&at=${dayOf(at)}T${timeOf(at)}`,
  );
  expect(overIn(own.text)?.[2]).toBe(`Reschedule anyway, over Moved Over ${timeOf(at)}`);
});

test('a free time offers nothing to book over', async () => {
  const at = inHours(24 * 44);
  const asked = `service=${serviceTypeId}&professional=${professionalId}&at=${dayOf(at)}T${timeOf(at)}`;
  expect(overIn((await rita.get(`/appointments/new?${asked}`)).text)).toBeNull();
});
