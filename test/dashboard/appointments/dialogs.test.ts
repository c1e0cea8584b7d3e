import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import type { Language } from '../../../dashboard/language/language.ts';
import { book, inHours } from '../../support/clinic.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { startTestDashboard } from '../../support/pages/dashboard-server.ts';
import { DESK, PHONE, problemsNow } from '../../support/pages/page-check.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';
import { signedIn } from '../sessions/signed-in.ts';

const [dashboard, browser] = await Promise.all([startTestDashboard(), openBrowser()]);
const { database, clinic } = dashboard;
afterAll(async () => {
  await browser.close();
  await dashboard[Symbol.asyncDispose]();
});

let booked = 0;
async function aBooked(): Promise<string> {
  booked += 1;
  return (await book(database, clinic, { startsAt: inHours(30 + booked) })).id;
}

const statusOf = async (id: string) => (await storedAppointments(database, { id }))[0]?.status;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.each<[string, Language, object]>([
  ['at a desk, in light', 'en', { viewport: DESK, locale: 'en-GB' }],
  ['on a phone, in dark', 'pt', { viewport: PHONE, locale: 'pt-PT', colorScheme: 'dark' }],
])('a cancellation is asked about with its own words, %s', async (_, language, options) => {
  const { cancel } = ONE_APPOINTMENT_WORDS[language];
  const id = await aBooked();
  const context = await browser.newContext({ ...(await signedIn(dashboard, 'rita')), ...options });
  const page = await context.newPage();
  await page.goto(`${dashboard.url}/appointments/${id}`);
  await page.locator('details.cancellation summary').click();
  const dialog = page.getByRole('dialog', { name: cancel.confirm.question });
  for (const leave of [
    () => button(page, cancel.confirm.keep).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await button(page, cancel.button).click();
    await dialog.waitFor();
    expect(await problemsNow(page, true)).toEqual([]);
    await leave();
    await dialog.waitFor({ state: 'detached' });
  }
  expect(await statusOf(id)).toBe('confirmed');
  await button(page, cancel.button).click();
  await dialog.getByRole('button', { name: cancel.button }).click();
  await page.waitForURL(/settled/);
  expect(await statusOf(id)).toBe('cancelled');
  await context.close();
});

test('where no scripts run, the page itself asks for the reason and cancels', async () => {
  const id = await aBooked();
  const options = { ...(await signedIn(dashboard, 'rita')), javaScriptEnabled: false };
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${dashboard.url}/appointments/${id}`);
  await page.locator('details.cancellation summary').click();
  await button(page, ONE_APPOINTMENT_WORDS.en.cancel.button).click();
  await page.waitForURL(/settled/);
  expect(await statusOf(id)).toBe('cancelled');
  await page.context().close();
});
