import { afterAll, describe, expect, test } from '@jest/globals';
import { KEPT_FORM_WORDS } from '../../dashboard/kept-forms/words.ts';
import { DELIVERY_WORDS } from '../../dashboard/webhooks/deliveries/words.ts';
import { BLOCK_WORDS } from '../../dashboard/blocks/words.ts';
import { TIMELINE_WORDS } from '../../dashboard/appointments/one-appointment/timeline-words.ts';
import { BOOKING_WORDS } from '../../dashboard/appointments/booking-words.ts';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { uuidv7 } from 'uuidv7';
import { NotificationEntity } from '../../db/entities/webhooks/notification.entity.ts';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import { updateTenant } from '../../commands/clinic/update-tenant.ts';
import { listen } from '../../dashboard/serving/listen.ts';
import { serveGallery } from '../../dev/gallery/serve-gallery.ts';
import { SETTINGS_WORDS } from '../../dashboard/settings/words.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { SESSION_IDLE_MS, SESSION_LENGTH_MS } from '../../domain/people/session.ts';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { storedAppointments } from '../support/stored/stored-appointments.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { anEndpoint, asOperator, book, inHours } from '../support/clinic.ts';
import { startTestDashboard } from '../support/pages/dashboard-server.ts';
import { agree } from '../support/pages/clicker.ts';
import { DESK, PHONE, problemsOf } from '../support/pages/page-check.ts';
import { anEventFor, attempted } from '../webhooks/recorded-attempts.ts';
import { signedIn } from './sessions/signed-in.ts';

/** What the dashboard takes for now; it only grows. */
let ahead = 0;

/** Another service of the clinic, which lasts longer. */
const LONG_SERVICE = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a21';

const [dashboard, browser] = await Promise.all([
  startTestDashboard({ now: () => new Date(Date.now() + ahead) }),
  openBrowser(),
]);
const { database, clinic } = dashboard;
await book(database, clinic);
const longer = { id: LONG_SERVICE, tenantId: clinic.tenantId, name: 'Surgery', durationMinutes: 60 };
await database.em().insert(ServiceTypeEntity, longer);
afterAll(async () => {
  await browser.close();
  await dashboard[Symbol.asyncDispose]();
});

describe('the dashboard in a browser', () => {
  test('the owner signs in, makes a key by a double click, reads it once, and signs out', async () => {
    const page = await (await browser.newContext({ viewport: DESK })).newPage();
    await page.goto(`${dashboard.url}/integrations/keys`);
    await page.getByRole('link', { name: 'Ana Martins' }).click();
    await page.getByRole('link', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Novigest');
    await page.locator('html.js').waitFor();
    await page.getByRole('button', { name: 'Create key' }).dblclick();
    await page.getByText(/^svc_test_\w+$/).waitFor();
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'Novigest' }).waitFor();
    await page.getByText('Ana Martins').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'You’re signed out' }).waitFor();
    await page.context().close();
  });

  test('on a phone the menu leads on, without a script too', async () => {
    const { storageState } = await signedIn(dashboard, 'rita');
    const options = { storageState, viewport: PHONE, javaScriptEnabled: false, locale: 'pt-PT' };
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(dashboard.url);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Marcações', exact: true }).click();
    await page.getByRole('link', { name: 'Nova marcação' }).waitFor();
    await page.context().close();
  });

  // in-browser.long.test.ts looks at every page.
  test('a page is accessible in light and dark, fits every width, and asks no one else', async () => {
    const options = await signedIn(dashboard, 'ana');
    const address = `${dashboard.url}/integrations/endpoints/new`;
    expect(await problemsOf(browser, address, options)).toEqual([]);
  });
});

test('a list keeps itself up to date, but for what someone is about to press or to copy', async () => {
  const endpointId = await anEndpoint(database, clinic.tenantId);
  const mail = { mail: 'no_address', emailedAt: null, readAt: null, createdAt: new Date() } as const;
  const about = { tenantId: clinic.tenantId, endpointId, deactivateAt: inHours(24), ...mail };
  const tell = (endpointUrl: string) =>
    database
      .em()
      .insert(NotificationEntity, { id: uuidv7(), kind: 'endpoint_failing', endpointUrl, ...about });
  await tell('https://first.example.com/');
  const page = await pageOf('ana', '/integrations/notices', {}, (fresh) => fresh.clock.install());
  const refreshed = async () => {
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/notices'));
    await page.clock.runFor(15_000);
    await (await answered).finished();
    await page.clock.runFor(1000);
  };
  await tell('https://second.example.com/');
  await page.getByRole('button', { name: 'Mark as read' }).hover();
  await refreshed();
  await page.mouse.move(0, 0);
  await page.getByText('first.example.com').selectText();
  await refreshed();
  expect(await page.getByRole('button', { name: 'Mark as read' }).count()).toBe(1);
  await page.getByRole('heading', { level: 1 }).click();
  await refreshed();
  await page.getByText('second.example.com').waitFor();
  await page.context().close();
});

describe('the components of the pages', () => {
  test.each(['/', '/guest'])(
    'at %s are accessible in every state, in light and dark, and fit every width',
    async (path) => {
      await using gallery = await listen(serveGallery(), { host: '127.0.0.1', port: 0 });
      expect(await problemsOf(browser, `http://127.0.0.1:${gallery.port}${path}`)).toEqual([]);
    },
  );
});

test('a delivery that arrives while its page is open says so in every part of it, with what was sent', async () => {
  const { tenantId } = clinic;
  const endpointId = await anEndpoint(database, tenantId);
  const delivery = await anEventFor(database, { tenantId, endpointId });
  const page = await pageOf('ana', `/integrations/deliveries/${delivery.id}`);
  await page.getByText('Nothing has been sent yet').waitFor();
  await attempted(database, delivery, { number: 1, status: 200 });
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByText(DELIVERY_WORDS.en.about.succeeded).waitFor();
  expect(await page.getByText('Nothing has been sent yet').count()).toBe(0);
  await page.getByText('X-Service-Signature: ').first().waitFor();
  await page.context().close();
});

const dayIn = (days: number) => localDayOf(inHours(24 * days), 'Europe/Lisbon').date;

/** Of a patient, as the database has them. */
function appointmentsOf(patientName: string) {
  return storedAppointments(dashboard.database, {}, patientName);
}

async function pageOf(
  name: Parameters<typeof signedIn>[1],
  path: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Page> {
  const context = await browser.newContext({ ...(await signedIn(dashboard, name)), ...options });
  const page = await context.newPage();
  await prepare(page);
  await page.goto(`${dashboard.url}${path}`);
  return page;
}

/** The form for a new appointment, with a day and a service. */
const bookingIn = (days: number) =>
  `/appointments/new?day=${dayIn(days)}&service=${dashboard.clinic.serviceTypeId}`;
/** The page of what has just been booked. */
const BOOKED = /\?booked/;
const choose = (page: Page, service: string) => page.getByRole('radio', { name: service }).check();

/** The free time that reads so. A full hour, for a move of what is booked at half past: its own time is not offered. */
const timeAt = (page: Page, time: string) =>
  page.locator('.desk-times .choice').filter({ hasText: time }).first();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function fillInPatient(page: Page, name: string) {
  await page.getByLabel('Patient’s name').fill(name);
  await page.getByLabel('Patient’s phone number').fill('+351 912 345 678');
}

describe('a form that shows free times', () => {
  test('follows when service and day are changed, and books what it shows', async () => {
    const page = await pageOf('rita', bookingIn(3));
    await fillInPatient(page, 'Followed');
    await choose(page, 'Surgery');
    await page.getByLabel('Day', { exact: true }).fill(dayIn(4));
    const day = new RegExp(`Free times.* ${Number(dayIn(4).slice(-2))} `);
    await page.getByRole('group', { name: day }).waitFor();
    await timeAt(page, '10:00').click();
    await press(page, 'Book');
    await page.waitForURL(BOOKED);
    const [made] = await appointmentsOf('Followed');
    expect(made).toMatchObject({ serviceTypeId: LONG_SERVICE });
    expect(localDayOf(made?.startsAt ?? new Date(0), 'Europe/Lisbon').date).toBe(dayIn(4));
    await page.context().close();
  });

  test('books nothing where no scripts run and the day was changed after the times were shown', async () => {
    const options = { javaScriptEnabled: false };
    const page = await pageOf('rita', bookingIn(3), options);
    await fillInPatient(page, 'Changed late');
    await page.getByText('After you change these fields, press the button').waitFor();
    await timeAt(page, '11:00').click();
    await choose(page, 'Surgery');
    await page.getByLabel('Day', { exact: true }).fill(dayIn(5));
    await press(page, 'Book');
    await page.getByText('Nothing is booked yet').waitFor();
    expect(await appointmentsOf('Changed late')).toEqual([]);
    expect(await page.getByLabel('Patient’s name').inputValue()).toBe('Changed late');
    await timeAt(page, '11:00').click();
    await press(page, 'Book');
    await page.waitForURL(BOOKED);
    const [made] = await appointmentsOf('Changed late');
    expect(made).toMatchObject({ serviceTypeId: LONG_SERVICE });
    expect(localDayOf(made?.startsAt ?? new Date(0), 'Europe/Lisbon').date).toBe(dayIn(5));
    await page.context().close();
  });

  test('has no time ticked after going back, and a double click books once', async () => {
    const page = await pageOf('rita', bookingIn(6));
    await fillInPatient(page, 'Went back');
    await timeAt(page, '10:00').click();
    await page.getByRole('button', { name: 'Book', exact: true }).dblclick();
    await page.waitForURL(BOOKED);
    await page.goBack();
    await page.getByRole('heading', { name: 'New appointment' }).waitFor();
    expect(await page.locator('input[name="time"]:checked').count()).toBe(0);
    await press(page, 'Book');
    await page.locator('.error', { hasText: BOOKING_WORDS.en.wrong.time }).waitFor();
    expect(await appointmentsOf('Went back')).toHaveLength(1);
    await page.context().close();
  });

  test('moves to what it shows, and expects a patient again who is moved back to a cancelled time', async () => {
    const { id } = await book(database, clinic, { patientName: 'Moved', startsAt: inHours(24 * 7 + 0.5) });
    const page = await pageOf('rita', `/appointments/${id}/move`, { javaScriptEnabled: false });
    await timeAt(page, '10:00').click();
    await page.getByLabel('Day', { exact: true }).fill(dayIn(8));
    await press(page, 'Reschedule');
    await page.getByText('Nothing is booked yet').waitFor();
    expect(await appointmentsOf('Moved')).toHaveLength(1);
    await timeAt(page, '10:00').click();
    await press(page, 'Reschedule');
    await page.getByText(TIMELINE_WORDS.en.chain).waitFor();
    const [, moved] = await appointmentsOf('Moved');
    expect(localDayOf(moved?.startsAt ?? new Date(0), 'Europe/Lisbon').date).toBe(dayIn(8));

    await page.getByText('Cancel', { exact: true }).click();
    await press(page, 'Cancel appointment');
    await page.getByRole('link', { name: 'Reschedule appointment' }).click();
    await timeAt(page, '10:00').click();
    await press(page, 'Reschedule');
    await page.getByText('Will be marked as a no-show').waitFor();
    const statuses = (await appointmentsOf('Moved')).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['confirmed', 'rescheduled', 'rescheduled']);
    await page.context().close();
  });
});

/** What a form would send, but for what proves that it is ours. */
function filledIn(page: Page, form: string): Promise<unknown> {
  const fields = `new FormData(document.querySelector('${form}'))`;
  return page.evaluate(`[...${fields}].filter(([name]) => !['form_token', 'id'].includes(name))`);
}

describe('a form that someone goes back to', () => {
  test('stands as it is now, and saves nothing that someone else has changed since', async () => {
    const { fields } = SETTINGS_WORDS.en.clinic;
    const form = 'form[action="/settings#clinic"]';
    const page = await pageOf('ana', '/settings');
    await page.getByLabel(fields.specialty).selectOption('Physiotherapy');
    await page.getByLabel(fields.name, { exact: true }).fill('Clínica da Ana');
    await page.locator(form).getByRole('button').click();
    await page.getByText('Saved.').waitFor();
    const theirs = { specialty: 'medical', name: 'Clínica do Miguel' } as const;
    await database.write((em) => updateTenant(em, { tenantId: clinic.tenantId, ...theirs }, asOperator()));
    await page.goBack();
    await page.getByRole('heading', { name: 'Clinic' }).waitFor();
    const fresh = await pageOf('ana', '/settings');
    const now = await filledIn(fresh, form);
    expect(now).toContainEqual(['name', 'Clínica do Miguel']);
    expect(await filledIn(page, form)).toEqual(now);
    await page.locator(form).getByRole('button').click();
    await page.getByText('Saved.').waitFor();
    expect(await database.em().findOneOrFail(TenantEntity, { id: clinic.tenantId })).toMatchObject(theirs);
    await fresh.context().close();
    await page.context().close();
  });
});

describe('an afternoon is blocked in three clicks', () => {
  test.each([
    ['at a desk', 20, { viewport: DESK }],
    ['on a phone, where no scripts run', 21, { viewport: PHONE, javaScriptEnabled: false }],
  ])('from the page of the day, %s, and no time of it is offered any more', async (_, days, options) => {
    const [professional = ''] = dashboard.clinic.professionalIds;
    const free = `${bookingIn(days)}&professional=${professional}`;
    const times = () => page.locator('.desk-times .choice').allInnerTexts();
    const offered = async () => (await times()).map((text) => text.trim().slice(0, 5));
    const page = await pageOf('rita', free, options);
    expect(await offered()).toContain('14:30');

    await page.goto(`${dashboard.url}/appointments?day=${dayIn(days)}`);
    await page.getByRole('link', { name: 'Block time' }).click();
    await page
      .getByRole('radio', { name: 'Ana' })
      .and(page.locator(`[value="${professional}"]`))
      .click();
    await press(page, 'Afternoon, from noon');
    await page.getByText(BLOCK_WORDS.en.blocked).waitFor();

    await page.goto(`${dashboard.url}${free}`);
    const left = await offered();
    expect([left.at(0), left.at(-1)]).toEqual(['00:00', '11:30']);
    await page.context().close();
  });

  test('from the page of the professional, without asking whose it is', async () => {
    const [professional = ''] = dashboard.clinic.professionalIds;
    const page = await pageOf('ana', `/settings/professionals/${professional}`);
    await page.getByRole('link', { name: 'Block time' }).click();
    await press(page, 'Afternoon, from noon');
    await page.getByText(BLOCK_WORDS.en.blocked).waitFor();
    await page.context().close();
  });
});

/** Signs in again from the page that says that the session has ended; returns where what was typed waits. */
async function signInAgain(page: Page, name: string): Promise<string> {
  const link = page.getByRole('link', { name: 'Sign in and submit' });
  const to = new URL((await link.getAttribute('href')) ?? '', dashboard.url).searchParams.get('to');
  await link.click();
  await page.getByRole('link', { name }).click();
  return `${dashboard.url}${to}`;
}

describe('a page that was left open past the session', () => {
  test.each([
    ['half an hour', SESSION_IDLE_MS, true],
    ['a night, where no scripts run', SESSION_LENGTH_MS + SESSION_IDLE_MS, false],
  ])('for %s books what was typed once its owner has signed in', async (_, ms, javaScriptEnabled) => {
    const patient = `Kept ${ms}`;
    const page = await pageOf('rita', bookingIn(9), { javaScriptEnabled });
    await fillInPatient(page, patient);
    await page.getByLabel('Notes').fill('Two\nlines');
    await timeAt(page, javaScriptEnabled ? '10:00' : '11:00').click();
    ahead += ms + 60_000;
    await press(page, 'Book');
    await page.getByText(KEPT_FORM_WORDS.en.ended).waitFor();
    expect(await appointmentsOf(patient)).toEqual([]);
    const kept = await signInAgain(page, 'Rita Lopes');
    if (!javaScriptEnabled) await press(page, 'Submit now');
    await page.waitForURL(BOOKED);
    expect(await appointmentsOf(patient)).toMatchObject([{ patientNotes: 'Two\nlines' }]);
    expect(page.url()).not.toContain('Kept');
    await page.goto(kept);
    if (!javaScriptEnabled) await press(page, 'Submit now');
    await page.waitForURL(BOOKED);
    expect(await appointmentsOf(patient)).toHaveLength(1);
    await page.context().close();
  });

  test('keeps what was typed from anyone else who signs in', async () => {
    const { id } = await book(dashboard.database, dashboard.clinic, { startsAt: inHours(24 * 10) });
    const page = await pageOf('rita', `/appointments/${id}`);
    await page.getByText('Cancel', { exact: true }).click();
    ahead += SESSION_IDLE_MS + 60_000;
    await press(page, 'Cancel appointment');
    await agree(page);
    await signInAgain(page, 'Ana Martins');
    await page.getByText('the form was filled in by someone else').waitFor();
    const [made] = await storedAppointments(dashboard.database, { id });
    expect(made?.status).toBe('confirmed');
    await page.context().close();
  });

  test('goes on working when its owner has signed in again beside it', async () => {
    const page = await pageOf('rita', bookingIn(11));
    await fillInPatient(page, 'Beside');
    ahead += SESSION_IDLE_MS + 60_000;
    await choose(page, 'Surgery');
    const beside = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Sign in in a new window' }).click();
    await (await beside).getByRole('link', { name: 'Rita Lopes' }).click();
    await (await beside).getByText('Rita Lopes').waitFor();
    await choose(page, 'Check-up');
    await press(page, 'Show free times');
    await timeAt(page, '10:00').click();
    await press(page, 'Book');
    await page.waitForURL(BOOKED);
    expect(await appointmentsOf('Beside')).toHaveLength(1);
    await page.context().close();
  });
});
