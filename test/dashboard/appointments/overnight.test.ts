import { expect, test } from '@jest/globals';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { book } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { aCall, phoneHash } from '../calls/a-call.ts';

/** A visit from Thursday 22:00 to Friday 06:00 in Lisbon; it is Friday, 01:00. */
const [THURSDAY, FRIDAY, SATURDAY] = ['2027-03-04', '2027-03-05', '2027-03-06'];
const NOW = new Date('2027-03-05T01:00:00Z');
const VISIT = { startsAt: new Date('2027-03-04T22:00:00Z'), endsAt: new Date('2027-03-05T06:00:00Z') };

const dashboard = await suiteDashboard({ now: () => NOW });
const { database, clinic } = dashboard;
await database
  .em()
  .nativeUpdate(TenantEntity, { id: clinic.tenantId }, { config: { timezone: 'Europe/Lisbon' } });
const patientPhoneHash = phoneHash({ tenantId: clinic.tenantId, e164: '+351911111111' });
const patient = { patientName: 'Night Owl', patientPhoneHash };
const { id } = await book(database, clinic, { ...VISIT, ...patient, mayBackdate: true });
const rita = await dashboard.person('rita');

test.each([
  [THURSDAY, true, '22:00', '22:00–Fri 5 06:00'],
  [FRIDAY, true, 'Thu 4 22:00', 'Thu 4 22:00–06:00'],
  [SATURDAY, false, '', ''],
])('on %s an appointment over midnight is shown: %s', async (day, isShown, starts, times) => {
  const pages = ['view=day', 'view=list'].map((view) => `/appointments?day=${day}&${view}`);
  for (const address of [...pages, `/appointments/csv?day=${day}`])
    expect([address, (await rita.get(address)).text.includes('Night Owl')]).toEqual([address, isShown]);
  if (!isShown) return;
  expect((await rita.get(pages[0] ?? '')).text).toContain(`<b>${starts}</b> Night Owl`);
  const list = (await rita.get(pages[1] ?? '')).text.replaceAll(/<[^>]+>/g, '');
  expect(list).toContain(times);
});

test('a week shows it on both days, and the first page counts it today', async () => {
  const [professional] = dashboard.clinic.professionalIds;
  const { text } = await rita.get(`/appointments?day=${FRIDAY}&view=week&who=${professional}`);
  expect(text.match(/Night Owl/g)).toHaveLength(2);
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, name]) => name);
  expect(ids.filter((name, at) => ids.indexOf(name) !== at)).toEqual([]);
  const first = (await rita.get('/')).text;
  expect(first).toContain(`/appointments/${id}`);
});

test('a call in the night shows the visit that the caller is at', async () => {
  const call = await aCall(dashboard, { startedAt: NOW });
  expect((await rita.get(`/calls/${call}`)).text).toContain(`/appointments/${id}`);
  const later = await aCall(dashboard, { startedAt: new Date('2027-03-06T01:00:00Z') });
  expect((await rita.get(`/calls/${later}`)).text).not.toContain(`/appointments/${id}`);
});

test('its professional is free until it begins and after it ends', async () => {
  const [professional] = dashboard.clinic.professionalIds;
  const freeOn = async (day: string) => {
    const { text } = await rita.get(`/appointments?day=${day}&who=${professional}`);
    return [...text.matchAll(/&amp;at=[\d-]+T([\d:]+)"/g)].map(([, time = '']) => time);
  };
  const friday = await freeOn(FRIDAY);
  expect(friday.filter((time) => time < '06:00')).toEqual([]);
  expect(friday).toContain('06:00');
});
