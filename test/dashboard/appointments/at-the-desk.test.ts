import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { PATIENT_WORDS } from '../../../dashboard/patients/words.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { book } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';

/** A busy morning at the desk. It is a Tuesday. */

const NOW = new Date('2027-11-23T08:00:00Z');
const DAY = '2027-11-24';
const at = (time: string) => new Date(`${DAY}T${time}:00Z`);

const dashboard = await suiteDashboard({ now: () => NOW });
const { database, clinic } = dashboard;
const { tenantId, professionalIds } = clinic;
const [first = '', second = ''] = professionalIds;
const em = () => database.em();
const config = { timezone: 'Europe/Lisbon', businessHours: { wed: [['09:00', '13:00']] as const } };
await em().nativeUpdate(TenantEntity, { id: tenantId }, { config });
const service = uuidv7();
await em().insert(ServiceTypeEntity, { id: service, tenantId, name: 'Surgery', durationMinutes: 45 });
const rita = await dashboard.person('rita');
const owner = await dashboard.person('ana');

test('free times stand by time, and for each time by who is free', async () => {
  const { text } = await rita.get(`/appointments/new?day=${DAY}&service=${service}`);
  const rows = [...text.matchAll(/<b aria-hidden="true">([^<]*)<\/b>([\s\S]*?)<\/div>/g)];
  const times = rows.map(([, time = '']) => time);
  expect(times).toEqual([...new Set(times)].toSorted((one, other) => one.localeCompare(other)));
  expect(times[0]).toBe('09:00');
  const [, , people = ''] = rows[0] ?? [];
  expect(people.match(/name="time"/g)).toHaveLength(2);
  expect(people).toMatch(/<span class="time">09:00<\/span>\s*<span class="soft">/);
});

test('a gap of ten minutes is not offered for a service of 45, and one of half an hour is marked', async () => {
  for (const [from, until] of [
    ['09:00', '09:45'],
    ['09:55', '10:30'],
    ['11:00', '12:00'],
  ] as const)
    await book(database, clinic, {
      startsAt: at(from),
      endsAt: at(until),
      professionalId: first,
      patientPhoneHash: from.padEnd(64, '0'),
    });
  const { text } = await rita.get(`/appointments/new?day=${DAY}&service=${service}&professional=${first}`);
  expect(text).not.toContain('only 10 min');
  expect(text).toMatch(/10:30<\/span>[\s\S]{0,60}<small>only 30 min<\/small>/);
});

test.each([
  ['a name', 'Joaquina Nova', 'patientName'],
  ['a phone number', '912 345 678', 'patientPhone'],
])('a search for %s that finds no one goes on to a booking with what was typed', async (_, typed, field) => {
  await rita.get('/');
  const empty = await rita.submit('/patients', { asked: typed });
  expect(empty.text).toContain(PATIENT_WORDS.en.book);
  const form = await rita.submit('/appointments/new');
  expect(form.text).toMatch(new RegExp(`name="${field}"[^>]*value="${typed}"`));
  expect(form.url.href).not.toContain(encodeURIComponent(typed).slice(0, 6));
});

test.each([
  ['the clinic', '/settings/hours', 'hours'],
  ['a professional', `/settings/professionals/${second}/hours`, 'week'],
])('the hours of Monday are taken over for the weekdays of %s', async (_, address, part) => {
  await owner.get(address);
  const page = await owner.submit(`${address}#${part}`, {
    always: '',
    'mon-0-from': '09:00',
    'mon-0-to': '13:00',
    'mon-1-from': '14:00',
    'mon-1-to': '18:00',
    copy: 'mon',
  });
  expect(page.text).toContain('Saved.');
  const { config: saved } = await em().findOneOrFail(TenantEntity, { id: tenantId });
  const { workingHours } = await em().findOneOrFail(ProfessionalEntity, { id: second });
  const own = [
    ['09:00', '13:00'],
    ['14:00', '18:00'],
  ];
  const week = part === 'hours' ? saved['businessHours'] : workingHours;
  expect(week).toEqual({ mon: own, tue: own, wed: own, thu: own, fri: own });
});
