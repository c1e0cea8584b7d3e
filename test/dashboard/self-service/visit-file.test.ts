import { expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { SLUG } from './self-service-walk.ts';

const dashboard = await suiteDashboard();
const { dependencies } = dashboard;
const { database, clinic } = dashboard;
const open = { publicSlug: SLUG, publicBookingEnabled: true, config: { timezone: 'Atlantic/Azores' } };
await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, open);

async function entryOf(appointmentId: string) {
  const { links } = dashboard.dependencies;
  const file = await dashboard.stranger().get(`/book/a/${links.tokenOf(appointmentId)}/visit.ics`);
  expect(file.status).toBe(200);
  const event = new ICAL.Component(ICAL.parse(file.text) as unknown[]).getFirstSubcomponent('vevent');
  if (!event) throw new Error('there is no event');
  const read = (name: string) => String(event.getFirstPropertyValue(name));
  return {
    uid: read('uid'),
    sequence: Number(read('sequence')),
    status: read('status'),
    zone: event.getFirstProperty('dtstart')?.getFirstParameter('tzid'),
    startsAt: new ICAL.Event(event).startDate.toJSDate(),
  };
}

test('a visit stays one entry of the patient’s calendar when it is changed, moved twice, moved back and cancelled', async () => {
  const startsAt = inHours(100);
  const first = await book(database, clinic, { startsAt });
  const entries = [await entryOf(first.id)];
  let current = first.id;
  const steps = [
    { patientNotes: 'Brings an X-ray' },
    { startsAt: inHours(110) },
    { startsAt: inHours(120) },
    { startsAt },
    { status: 'cancelled' as const },
  ];
  for (const step of steps) {
    const { replacement } = await change(database, clinic, current, step);
    current = replacement?.id ?? current;
    entries.push(await entryOf(current));
  }
  expect(new Set(entries.map(({ uid }) => uid))).toEqual(new Set([first.id]));
  expect(entries.map(({ status }) => status)).toEqual([...Array<string>(5).fill('CONFIRMED'), 'CANCELLED']);
  const sequences = entries.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other));
  expect(entries.at(-1)).toMatchObject({ zone: 'Atlantic/Azores', startsAt });
  // Every link of the chain leads to the same file.
  expect(await entryOf(first.id)).toEqual(entries.at(-1));
});

test('the page of a cancelled visit offers its file', async () => {
  const { id } = await book(database, clinic, { startsAt: inHours(140) });
  await change(database, clinic, id, { status: 'cancelled' });
  const address = `/book/a/${dependencies.links.tokenOf(id)}`;
  const page = await dashboard.stranger().get(address);
  expect(page.text).toMatch(new RegExp(`href="${address}/visit.ics">Remove from calendar`));
});
