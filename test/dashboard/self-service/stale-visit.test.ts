import { expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { TenantEntity, type TenantRow } from '../../../db/entities/tenant.entity.ts';
import { createPatientLinks } from '../../../domain/appointments/patient-link.ts';
import { book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';

const links = createPatientLinks([Buffer.alloc(32, 3)]);
const dashboard = await suiteDashboard({ links });
const { database, clinic } = dashboard;
await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, { publicBookingEnabled: true });

test.each(['cancel', 'move'])(
  'a page that asks whether to %s a visit does nothing once the clinic has moved it, and shows where it is now',
  async (doing) => {
    const patient = dashboard.stranger();
    const [professionalId] = clinic.professionalIds;
    const [asked, elsewhere, wished] = [inHours(24), inHours(48), inHours(72)];
    const { id } = await book(database, clinic, { startsAt: asked, patientName: `To ${doing}` });
    const address = `/book/a/${links.tokenOf(id)}`;
    await patient.get(`${address}/${doing}?time=${wished.toISOString()}/${professionalId}`);
    const { replacement } = await change(database, clinic, id, { startsAt: elsewhere });

    const page = await patient.submit(`${address}/${doing}`);
    expect(page.url.pathname).toBe(address);
    expect(page.text).toContain(`datetime="${elsewhere.toISOString()}"`);
    const [now] = await storedAppointments(database, { id: replacement?.id });
    expect(now).toMatchObject({ status: 'confirmed', startsAt: elsewhere });
    await change(database, clinic, now?.id ?? '', { status: 'cancelled' });
  },
);

test('a visit at a clinic that has left is neither moved nor cancelled by its patient, whose page says so', async () => {
  const patient = dashboard.stranger();
  const { tenantId: id, professionalIds } = clinic;
  const [startsAt, wished] = [inHours(96), inHours(120)];
  const booked = await book(database, clinic, { startsAt, patientName: 'Left behind' });
  const address = `/book/a/${links.tokenOf(booked.id)}`;
  await patient.get(`${address}/move?time=${wished.toISOString()}/${professionalIds[0]}`);
  await database.em().nativeUpdate(TenantEntity, { id }, { status: 'canceled' });

  const pages = [await patient.submit(`${address}/move`), await patient.post(`${address}/cancel`, {})];
  await database.em().nativeUpdate(TenantEntity, { id }, { status: 'active' });
  for (const { url, text } of pages) {
    expect(url.pathname).toBe(address);
    expect(text).toContain(SELF_SERVICE_WORDS.en.isOver);
  }
  const [now] = await storedAppointments(database, { id: booked.id });
  expect(now).toMatchObject({ status: 'confirmed', startsAt });
});

test('the page of a visit leads to where patients book only while they can', async () => {
  const booked = await book(database, clinic, { startsAt: inHours(144), patientName: 'Comes again' });
  const address = `/book/a/${links.tokenOf(booked.id)}`;
  const isLedThere = async (now: Partial<TenantRow>) => {
    await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, now);
    return (await dashboard.stranger().get(address)).text.includes('<a href="/book/');
  };
  expect(await isLedThere({ publicBookingEnabled: true, publicSlug: null })).toBe(false);
  expect(await isLedThere({ publicSlug: 'da-luz' })).toBe(true);
  expect(await isLedThere({ status: 'canceled' })).toBe(false);
  expect(await isLedThere({ status: 'active', publicBookingEnabled: false })).toBe(false);
});
