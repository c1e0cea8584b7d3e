import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startTestApi } from '../support/servers/api-server.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { DESK, inBrowser, PHONE, problemsOf } from '../support/pages/page-check.ts';
import { forSuite } from '../support/for-suite.ts';

/** A small guide and a small operation; all pages are looked at in the long test. */
const PAGES = ['docs/idempotency', 'docs/cancel-appointment'];

const [api, browser] = await Promise.all([forSuite(startTestApi()), forSuite(openBrowser())]);

describe('the documentation in a browser', () => {
  test.each(PAGES)(
    '%s is accessible in light and dark, fits every width, and asks no one else',
    async (path) => {
      expect(await problemsOf(browser, `${api.url}/${path}`)).toEqual([]);
    },
  );

  test('the search opens with a key, and leads to the section by keyboard alone', async () => {
    const problems = await inBrowser(browser, { viewport: DESK }, `${api.url}/docs/limits`, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('qxzw');
      await page.getByText('Nothing found').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('check in');
      await page.locator('#results a').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/appointments#check-in');
      return [];
    });
    expect(problems).toEqual([]);
  });

  test('a request is tried from its page with the reader’s key, which stays in the tab', async () => {
    const { professionalIds, serviceTypeId } = api.clinic;
    const key = await api.keyOf();
    await inBrowser(browser, { viewport: DESK }, `${api.url}/docs/book-appointment`, async (page) => {
      await page.getByLabel('API key').fill(key);
      const body = JSON.parse(await page.getByLabel('Body').inputValue()) as object;
      const booking = { ...body, professionalId: professionalIds[0], serviceTypeId };
      await page.getByLabel('Body').fill(JSON.stringify(booking));
      await page.getByRole('button', { name: 'Send the request' }).click();
      await page.locator('output').getByText(/^201 /).waitFor();
      expect(await page.locator('output pre').textContent()).toContain('"status": "confirmed"');
      expect(await storedBy(page, 'sessionStorage')).toContain(key);
      expect(await storedBy(page, 'localStorage')).not.toContain(key);
      return [];
    });
  });

  test('without a script everything is there: samples by language, the menu of a phone, every page', async () => {
    const options = { viewport: PHONE, javaScriptEnabled: false };
    const problems = await inBrowser(browser, options, `${api.url}/docs/book-appointment`, async (page) => {
      await page.getByText('Python', { exact: true }).click();
      await page.getByText('response = requests.post(').waitFor();
      expect(await page.getByRole('searchbox').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Quickstart' }).click();
      await page.getByRole('heading', { name: 'Quickstart', level: 1 }).waitFor();
      return [];
    });
    expect(problems).toEqual([]);
  });

  test('who reads Python once reads it on the next page', async () => {
    const problems = await inBrowser(
      browser,
      { viewport: DESK },
      `${api.url}/docs/get-call`,
      async (page) => {
        await page.getByText('Python', { exact: true }).click();
        await page.goto(`${api.url}/docs/list-calls`);
        await page.getByText('response = requests.get(').waitFor();
        return [];
      },
    );
    expect(problems).toEqual([]);
  });
});

function storedBy(page: Page, storage: string): Promise<string> {
  return page.evaluate(`JSON.stringify(${storage})`);
}
