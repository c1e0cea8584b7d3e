import { expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import type { Visitor } from '../../support/pages/visitor.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';
import { SLUG } from './self-service-walk.ts';

const PATIENT = { patientName: 'Maria Santos', patientPhone: '+351912345678' };

/** Rui, then Bia. */
const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const professionals = clinic.professionalIds;
const em = database.em();
const open = { publicSlug: SLUG, publicBookingEnabled: true, config: { timezone: 'Europe/Lisbon' } };
await em.nativeUpdate(TenantEntity, { id: clinic.tenantId }, open);
for (const [at, name] of ['Rui', 'Bia'].entries())
  await em.nativeUpdate(ProfessionalEntity, { id: professionals[at] ?? '' }, { name });

let hours = 24 * 3;
function aTime(): Date {
  hours += 24;
  return inHours(hours);
}

/** Reception books over what the patient holds. */
function takeFrom(professionalId: string | undefined, startsAt: Date, patient: string) {
  const patientPhoneHash = patient.padStart(64, 'a');
  return book(database, clinic, { startsAt, professionalId: professionalId ?? '', patientPhoneHash });
}

const chosen = (startsAt: Date, professional = '') => ({
  service: dashboard.clinic.serviceTypeId,
  professional,
  time: `${startsAt.toISOString()}/${professionals[0]}`,
});

const details = `/book/${SLUG}/details`;

async function choose(startsAt: Date, professional = ''): Promise<Visitor> {
  const patient = dashboard.stranger();
  await patient.post(`${dashboard.url}/book/${SLUG}/hold`, chosen(startsAt, professional));
  return patient;
}

const bookedAt = async (startsAt: Date) =>
  (await storedAppointments(dashboard.database, { startsAt, source: 'self_service' })).map(
    ({ professionalId }) => professionalId,
  );

test('where anyone will do, a time that was taken is offered with a colleague, and booked by one press', async () => {
  const startsAt = aTime();
  const patient = await choose(startsAt);
  await takeFrom(professionals[0], startsAt, '1');
  const page = await patient.submit(details, PATIENT);
  expect(page.status).toBe(409);
  expect(page.text).toContain('the professional shown below is free at the same time');
  expect(page.text).toContain('Bia');
  expect(page.text).not.toContain('Rui');
  expect(page.text).toContain('value="Maria Santos"');
  expect(await bookedAt(startsAt)).toEqual([]);
  expect((await patient.submit(details)).text).toContain(SELF_SERVICE_WORDS.en.booked);
  expect(await bookedAt(startsAt)).toEqual([professionals[1]]);
});

test('a time that was taken before it is chosen is kept with the colleague', async () => {
  const startsAt = aTime();
  await takeFrom(professionals[0], startsAt, '2');
  const patient = await choose(startsAt);
  const page = await patient.get(`${details}?${new URLSearchParams(chosen(startsAt)).toString()}`);
  expect(page.status).toBe(200);
  const again = await patient.post(`${dashboard.url}/book/${SLUG}/hold`, chosen(startsAt));
  expect(again.text).not.toContain('just taken');
});

test('when no one is free then, other times are offered', async () => {
  const startsAt = aTime();
  const patient = await choose(startsAt);
  for (const [at, id] of professionals.entries()) await takeFrom(id, startsAt, `${at + 3}`);
  const page = await patient.submit(details, PATIENT);
  expect(page.text).toContain('Please choose another');
  expect(page.text).toContain(SELF_SERVICE_WORDS.en.otherTimes);
});

test('anyone who asked for a professional sees the same time with others beside theirs, named', async () => {
  const startsAt = aTime();
  const [rui = '', bia = ''] = professionals;
  const patient = await choose(startsAt, rui);
  await takeFrom(rui, startsAt, '5');
  const page = await patient.submit(details, PATIENT);
  expect(page.status).toBe(409);
  const times = [...page.text.matchAll(/name="time"\s+value="([^"]+)"/g)].map(([, time]) => time);
  expect(times).toContain(`${startsAt.toISOString()}/${bia}`);
  expect(times.filter((time) => time?.endsWith(bia))).toHaveLength(1);
  expect(page.text).toMatch(/, Bia\b/);
  const time = `${startsAt.toISOString()}/${bia}`;
  expect((await patient.submit(details, { time })).text).toContain(SELF_SERVICE_WORDS.en.booked);
  expect(await bookedAt(startsAt)).toEqual([bia]);
});
