import { expect, test } from '@jest/globals';
import { BOOKING_WORDS } from '../../../dashboard/appointments/booking-words.ts';
import { uuidv7 } from 'uuidv7';
import { saveBusyBlock } from '../../../commands/clinic/save-busy-block.ts';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { aClinic, asOperator, book, change, type TestClinic } from '../../support/clinic.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { DESK, PHONE, problemsOf } from '../../support/pages/page-check.ts';
import { startTestDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { signedIn } from '../sessions/signed-in.ts';
import { storeAppointments, storedAppointments } from '../../support/stored/stored-appointments.ts';
import { forSuite } from '../../support/for-suite.ts';

/** The clinic's day as a picture, and booking into its gaps. It is a Tuesday, 10:20 in Lisbon. */

const NOW = new Date('2027-11-23T10:20:00Z');
const DAY = '2027-11-23';
const at = (time: string) => new Date(`${DAY}T${time}:00Z`);

const SURGERY = uuidv7();

const [dashboard, browser] = await Promise.all([
  forSuite(startTestDashboard({ now: () => NOW })),
  forSuite(openBrowser()),
]);
const { serviceTypeId } = dashboard.clinic;
const em = dashboard.database.em();
const { tenantId, professionalIds } = dashboard.clinic;
const [rui = '', bia = ''] = professionalIds;
const opening = [['09:00', '13:00'] as const, ['14:00', '19:00'] as const];
const week = { mon: opening, tue: opening, wed: opening, thu: opening, fri: opening };
const config = { timezone: 'Europe/Lisbon', businessHours: week };
await em.nativeUpdate(TenantEntity, { id: tenantId }, { config });
await em.nativeUpdate(ProfessionalEntity, { id: rui }, { name: 'Rui' });
await em.nativeUpdate(ProfessionalEntity, { id: bia }, { name: 'Bia', workingHours: {} });
const surgery = { id: SURGERY, tenantId, name: 'Surgery', durationMinutes: 60, bufferMinutes: 5 };
await em.insert(ServiceTypeEntity, surgery);
const rita = await dashboard.person('rita');

let patients = 0;
/** With Rui, for half an hour by default. */
function aVisit(time: string, changes: Partial<Parameters<typeof book>[2]> = {}) {
  patients += 1;
  const patientPhoneHash = String(patients).padStart(64, '0');
  const wanted = { startsAt: at(time), patientPhoneHash, mayBackdate: true, professionalId: rui, ...changes };
  return book(dashboard.database, dashboard.clinic, wanted);
}

/** What stands in the page's line about someone. */
const lineOf = (text: string, name: string) =>
  /<li class="visit[^>]*>(?:(?!<\/li>).)*/gs[Symbol.match](text)?.find((line) => line.includes(name)) ?? '';

const freeTimesIn = (text: string) => [...text.matchAll(/&amp;at=[\d-]+T([\d:]+)"/g)].map(([, time]) => time);

test('the day shows who comes when, what is unusual about it, what is blocked, and every gap as a way to book', async () => {
  await aVisit('10:30', { patientName: 'Plain' });
  await aVisit('11:00', { patientName: 'By the AI', source: 'voice_ai', patientNotes: 'Afraid of needles' });
  await aVisit('11:30', { patientName: 'By herself', source: 'self_service', endsAt: at('11:50') });
  const gone = await aVisit('12:30', { patientName: 'Cancelled visit' });
  await change(dashboard.database, dashboard.clinic, gone.id, { status: 'cancelled' });
  const training = { tenantId, externalId: 'training', professionalId: rui, title: 'Training' };
  const block = { ...training, startsAt: at('16:00'), endsAt: at('19:00') };
  await dashboard.database.write((em) => saveBusyBlock(em, block, asOperator(NOW)));
  const { text } = await rita.get(`/appointments?day=${DAY}`);
  expect(text).toContain('>Rui</a>');
  expect(text).not.toContain('>Bia</a>');
  expect(lineOf(text, 'Plain')).not.toContain('<small>');
  expect(lineOf(text, 'By the AI')).toContain('<small>AI · Note</small>');
  expect(lineOf(text, 'By herself')).toContain('<small>Online</small>');
  expect(lineOf(text, 'Cancelled visit')).toBe('');
  expect(text).toContain('Cancelled and rescheduled (1)');
  expect(text).toContain('16:00–19:00 Training');
  expect(freeTimesIn(text)).toEqual(['10:20', '11:50', '14:00', '15:00']);
  expect(text).toMatch(/class="now r16"/);
  expect(text.match(/class="closed/g)).toHaveLength(1);
});

test('a gap leads to its time where people read 2:00 PM, too', async () => {
  const { country } = await em.findOneOrFail(TenantEntity, { id: tenantId });
  await em.nativeUpdate(TenantEntity, { id: tenantId }, { country: 'US' });
  const { text } = await rita.get(`/appointments?day=${DAY}`);
  await em.nativeUpdate(TenantEntity, { id: tenantId }, { country });
  expect(text).toMatch(/>2:00\sPM free</);
  expect(freeTimesIn(text)).toEqual(['10:20', '11:50', '14:00', '15:00']);
});

test('a patient is checked in where she stands in the day, and that is undone as fast', async () => {
  const { id } = await aVisit('10:00', { patientName: 'Early Bird' });
  const older = await rita.get(`/appointments?day=${DAY}`);
  const day = await rita.get(`/appointments?day=${DAY}`);
  const visit = /value="([^"]*)"/.exec(lineOf(day.text, 'Early Bird'))?.[1] ?? '';
  const done = await rita.submit('/appointments/check-in', { visit });
  expect(done.url.pathname + done.url.hash).toBe(`/appointments#v${id}`);
  expect(done.text).toContain('Early Bird is checked in.');
  expect(lineOf(done.text, 'Early Bird')).toContain('Checked in');
  const undo = formOf(done.text, '/appointments/check-in/undo', { visit: `${id} 2` });
  const undone = await rita.post('/appointments/check-in/undo', undo);
  expect(undone.text).toContain('Undone. Early Bird is expected again.');
  expect(lineOf(undone.text, 'Early Bird')).not.toContain('Checked in');
  const stale = await rita.post(
    '/appointments/check-in',
    formOf(older.text, '/appointments/check-in', { visit }),
  );
  expect(stale.status).toBe(409);
  expect(await rita.get(`/appointments/${id}`)).toMatchObject({ status: 200 });
});

test('the week of one professional has its days beside each other, each leading to the day', async () => {
  const { text } = await rita.get(`/appointments?view=week&who=${rui}&day=${DAY}`);
  expect([...text.matchAll(/data-day="([\d-]*)"/g)].map(([, day]) => day)).toEqual(
    [22, 23, 24, 25, 26].map((day) => `2027-11-${day}`),
  );
  expect(text).toContain('By the AI');
});

/** The times of a form as they read, with what is unusual about them. */
const timesIn = (text: string) =>
  [...text.matchAll(/name="time"\s+value="([^"]*)"([\s\S]*?)<\/label/g)].map(([, value = '', rest = '']) => ({
    value,
    label: rest
      .slice(rest.indexOf('<span'))
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
const named = (text: string, time: string) => timesIn(text).find(({ label }) => label.startsWith(time));

const FORM = '/appointments/new';
const patient = (patientName: string) => ({ patientName, patientPhone: '+351 912 345 678' });
async function made(patientName: string): Promise<AppointmentRow> {
  const [found] = await storedAppointments(dashboard.database, {}, patientName);
  if (!found) throw new Error(`no one has booked for ${patientName}`);
  return found;
}

test('a new appointment begins with the patient, and chooses neither service nor time by itself', async () => {
  const { text } = await rita.get(`${FORM}?day=${DAY}`);
  expect(text.indexOf('name="patientName"')).toBeLessThan(text.indexOf('name="service"'));
  expect(text).not.toMatch(/name="service"[^>]*checked/);
  expect(timesIn(text)).toEqual([]);
  const refused = await rita.submit(FORM, { ...patient('Nobody'), service: '' });
  expect(refused.text).toContain(BOOKING_WORDS.en.wrong.service);
});

test('the gap between two appointments is offered though it is off the grid, and a short one for as long as it lasts', async () => {
  const check = `${FORM}?day=${DAY}&professional=${rui}&service=${dashboard.clinic.serviceTypeId}`;
  const { text } = await rita.get(check);
  expect(named(text, '11:50')?.label).toBe('11:50 Rui');
  const surgery = await rita.get(`${FORM}?day=${DAY}&professional=${rui}&service=${SURGERY}`);
  await aVisit('15:20');
  const squeezed = await rita.get(`${FORM}?at=${DAY}T14:40&professional=${rui}&service=${SURGERY}`);
  expect(named(surgery.text, '14:00')?.label).toBe('14:00 Rui');
  const { label, value = '' } = named(squeezed.text, '14:40') ?? {};
  expect(label).toBe('14:40 Rui only 35 min');
  const page = await rita.submit(FORM, { ...patient('Squeezed in'), time: value });
  expect(page.text).toContain('Booked for Tuesday 14:40 with Rui.');
  expect(await made('Squeezed in')).toMatchObject({
    startsAt: at('14:40'),
    endsAt: at('15:15'),
    ownLength: true,
  });
});

test('a time outside the hours is booked when the page has said so, and not before', async () => {
  const service = dashboard.clinic.serviceTypeId;
  const asked = await rita.get(`${FORM}?at=${DAY}T19:30&professional=${rui}`);
  const unmarked = named(asked.text, '19:30')?.value ?? '';
  const early = {
    ...patient('After hours'),
    service,
    time: `${at('19:45').toISOString()}/${rui}`,
    at: '19:45',
  };
  const refused = await rita.submit(FORM, { ...early, shown_for: ` ${rui} ${DAY} 19:45` });
  expect(refused.status).toBe(409);
  const marked = named(refused.text, '19:45');
  expect(marked?.label).toBe('19:45 Rui outside opening hours');
  expect(unmarked).toContain('outside');
  await rita.submit(FORM, { time: marked?.value ?? '' });
  expect(await made('After hours')).toMatchObject({ startsAt: at('19:45'), endsAt: at('20:15') });
});

test('a gap that is pressed brings its time along, whatever service is then chosen', async () => {
  const { text } = await rita.get(`${FORM}?professional=${rui}&at=${DAY}T14:05`);
  expect(text).toMatch(/name="time"[^>]*checked/);
  const fields = { ...patient('From the gap'), service: dashboard.clinic.serviceTypeId };
  const page = await rita.submit(FORM, { ...fields, time: named(text, '14:05')?.value ?? '' });
  expect(page.text).toContain('Booked for Tuesday 14:05 with Rui.');
});

test('a person who is too late sees free times near it', async () => {
  const { text } = await rita.get(`${FORM}?day=2027-11-24&professional=${rui}&service=${serviceTypeId}`);
  const time = named(text, '10:00')?.value ?? '';
  await aVisit('10:00', { startsAt: new Date('2027-11-24T10:00Z') });
  const page = await rita.submit(FORM, { ...patient('Too late'), time });
  expect(page.status).toBe(409);
  expect(page.text).toMatch(/Closest free times[\s\S]*Wednesday 09:30[\s\S]*Wednesday 10:30/);
  expect(page.text).toContain('value="Too late"');
});

test('the day and the forms that it leads to are accessible, and fit every width', async () => {
  const options = await signedIn(dashboard, 'rita');
  for (const path of [
    `/appointments?day=${DAY}`,
    `/appointments?view=week&who=${rui}&day=${DAY}`,
    `${FORM}?at=${DAY}T19:50&professional=${rui}&service=${SURGERY}`,
  ])
    expect([path, await problemsOf(browser, `${dashboard.url}${path}`, options)]).toEqual([path, []]);
});

test('with a mouse an appointment is dragged to another time, and moved once that is agreed to', async () => {
  const startsAt = new Date('2027-11-25T10:00Z');
  const { id } = await aVisit('', { startsAt, patientName: 'Dragged along' });
  const context = await browser.newContext({ ...(await signedIn(dashboard, 'rita')), viewport: DESK });
  const page = await context.newPage();
  await page.goto(`${dashboard.url}/appointments?day=2027-11-25`);
  const column = page.locator('ol[data-day]').first();
  const { height = 0 } = (await column.boundingBox()) ?? {};
  const grab = { sourcePosition: { x: 30, y: 5 } };
  await page.locator(`#v${id}`).dragTo(column, { ...grab, targetPosition: { x: 30, y: height * 0.25 + 5 } });
  await page.waitForURL(/\/move\?.*at=2027-11-25T11/);
  expect(await made('Dragged along')).toMatchObject({ startsAt, status: 'confirmed' });
  await page.getByRole('button', { name: 'Reschedule', exact: true }).click();
  await page.getByText(/Rescheduled to Thursday 11:\d\d with Rui/).waitFor();
  await context.close();
});

test.each([
  ['at a desk', { viewport: DESK }],
  ['on a phone, where no scripts run', { viewport: PHONE, javaScriptEnabled: false }],
])('a caller is booked with four presses, and moved with three, %s', async (where, options) => {
  const context = await browser.newContext({ ...(await signedIn(dashboard, 'rita')), ...options });
  const page = await context.newPage();
  const day = 'javaScriptEnabled' in options ? '2027-11-29' : '2027-11-26';
  await page.goto(`${dashboard.url}/appointments?day=${day}`);
  await page.getByRole('link', { name: '10:00 free' }).click();
  await page.getByLabel('Patient’s name').pressSequentially(where);
  await page.getByRole('radio', { name: 'Surgery' }).click();
  await page.getByLabel('Patient’s phone number').click();
  await page.keyboard.type('912 345 678');
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await page.getByText(/Booked for \w+day 10:\d\d with Rui/).waitFor();

  await page.goto(`${dashboard.url}/appointments?day=${day}`);
  await page.getByRole('listitem').filter({ hasText: where }).hover();
  await page
    .getByRole('listitem')
    .filter({ hasText: where })
    .getByRole('link', { name: 'Reschedule' })
    .click();
  await page.locator('.desk-times .choice').filter({ hasText: '14:00' }).click();
  await page.getByRole('button', { name: 'Reschedule', exact: true }).click();
  await page.getByText(/Rescheduled to \w+day 14:00 with Rui/).waitFor();
  await context.close();
});

test('sixty professionals with 5,000 appointments stay within 300 KB a page, and everyone and everything is shown', async () => {
  const { database } = dashboard;
  const clinic = await aClinic(database, { professionals: 0 });
  const { tenantId } = clinic;
  const { identityOrgId } = await database
    .em()
    .findOneOrFail(TenantEntity, { id: dashboard.clinic.tenantId });
  await fill(clinic);
  await database
    .em()
    .nativeUpdate(TenantEntity, { id: dashboard.clinic.tenantId }, { identityOrgId: 'before' });
  await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { identityOrgId });
  const owner = await dashboard.person('ana');
  const seen = new Set<string>();
  let visits = 0;
  let address = `/appointments?day=${DAY}`;
  for (let page = 0; page < 60 && address !== ''; page += 1) {
    const { text } = await owner.get(address);
    expect(Buffer.byteLength(text)).toBeLessThan(300_000);
    expect(text).not.toContain('too many appointments to show here');
    for (const [, id = ''] of text.matchAll(/data-professional="([^"]*)"/g)) seen.add(id);
    visits += text.match(/<li class="visit/g)?.length ?? 0;
    address = /href="([^"]*)">More professionals/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  expect(seen.size).toBe(60);
  expect(visits).toBe(60 * 84);
});

async function fill(clinic: TestClinic): Promise<void> {
  const { tenantId, serviceTypeId } = clinic;
  const professionals = Array.from({ length: 60 }, (_, nr) => {
    const name = `Professional with two names ${nr + 1}`;
    return { id: uuidv7(), tenantId, name, specialty: 'dental', metadata: {} };
  });
  await dashboard.database.em().insertMany(ProfessionalEntity, professionals);
  const visits = professionals.flatMap(({ id: professionalId }) =>
    Array.from({ length: 84 }, (_, nr) => {
      const startsAt = new Date(at('00:00').getTime() + nr * 17 * 60_000);
      return {
        professionalId,
        serviceTypeId,
        patientName: `Maria da Conceição Fernandes ${nr}`,
        patientNotes: 'Notes',
        startsAt,
        endsAt: new Date(startsAt.getTime() + 10 * 60_000),
        source: 'voice_ai' as const,
      };
    }),
  );
  await storeAppointments(dashboard.database, clinic, visits);
}
