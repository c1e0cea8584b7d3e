import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/pages/browser.ts';
import { book } from '../support/clinic.ts';
import { startTestDashboard, type TestDashboard } from '../support/pages/dashboard-server.ts';
import { DESK, PHONE, problemsOf } from '../support/pages/page-check.ts';
import { signedIn } from './signed-in.ts';

let dashboard: TestDashboard;
let browser: Browser;

beforeAll(async () => {
  [dashboard, browser] = await Promise.all([startTestDashboard(), openBrowser()]);
  await book(dashboard.database, dashboard.clinic);
});
afterAll(async () => {
  await browser.close();
  await dashboard.stop();
});

describe('the dashboard in a browser', () => {
  test('the owner signs in, makes a key by a double click, reads it once, and signs out', async () => {
    const page = await (await browser.newContext({ viewport: DESK })).newPage();
    await page.goto(`${dashboard.url}/integrations/keys`);
    await page.getByRole('link', { name: 'Ana Martins' }).click();
    await page.getByRole('link', { name: 'New key' }).click();
    await page.getByLabel('What is it for?').fill('Novigest');
    await page.locator('html.js').waitFor();
    await page.getByRole('button', { name: 'Make the key' }).dblclick();
    await page.getByText(/^svc_test_\w+$/).waitFor();
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'Novigest' }).waitFor();
    await page.getByText('Ana Martins').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.context().close();
  });

  test('on a phone the menu leads on, without a script too', async () => {
    const { storageState } = await signedIn(dashboard, 'rita');
    const options = { storageState, viewport: PHONE, javaScriptEnabled: false, locale: 'pt-PT' };
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(dashboard.url);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Marcações', exact: true }).click();
    await page.getByRole('heading', { name: 'Marcações', level: 1 }).waitFor();
    await page.context().close();
  });

  test.each(['/integrations/endpoints/new'])(
    '%s is accessible in light and dark, fits every width, and asks nobody else',
    async (path) => {
      const options = await signedIn(dashboard, 'ana');
      expect(await problemsOf(browser, `${dashboard.url}${path}`, options)).toEqual([]);
    },
  );
});
