import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Language } from '../../../dashboard/language/language.ts';
import { DESK, PHONE } from './page-check.ts';

/** A device and its language. */
export interface Seat {
  where: string;
  language: Language;
  viewport: { width: number; height: number };
  locale: string;
  /** True by default. */
  hasScripts?: boolean;
}

export const AT_A_DESK: Seat = {
  where: 'at a desk in English',
  language: 'en',
  viewport: DESK,
  locale: 'en-GB',
};
export const ON_A_PHONE: Seat = {
  where: 'on a phone in Portuguese',
  language: 'pt',
  viewport: PHONE,
  locale: 'pt-PT',
};

/** Long enough for a busy machine. */
const PATIENCE_MS = 120_000;

/** Headless browsers cannot ask for permission. */
const COPYING = ['clipboard-read', 'clipboard-write'];

/** As the style sheet says. */
const MENU_FOLDS_BELOW = 1152;

/** A person at a screen, who uses what is visible and confirms every dialog. */
export interface Clicker {
  page: Page;
  /** Through the menu, which is collapsed on a phone. */
  goTo(address: string): Promise<void>;
  /** Presses the button with this label. */
  press(words: string): Promise<void>;
  /** Follows the first link with this text. */
  follow(words: string | RegExp): Promise<void>;
  /** Fills in the field with this label. */
  fill(label: string, text: string): Promise<void>;
  /** Chooses from the list with this label. */
  choose(label: string, option: string): Promise<void>;
  /** Waits until the text is visible. */
  sees(words: string | RegExp): Promise<void>;
  /** Closes the window; fails after a script error or a violation of the page's policy. */
  leave(): Promise<void>;
}

/** Signs in at the identity provider, by name. */
export async function signIn(
  browser: Browser,
  dashboardUrl: string | null,
  name: string,
  seat: Seat,
): Promise<Clicker> {
  const clicker = await sitDown(browser, seat);
  await clicker.page.goto(dashboardUrl ?? '');
  await clicker.follow(name);
  await clicker.page.waitForURL(`${dashboardUrl}/**`);
  return clicker;
}

/** Opens a browser window. @param more such as the cookies of a session */
export async function sitDown(
  browser: Browser,
  { viewport, locale, hasScripts }: Seat,
  more: BrowserContextOptions = {},
): Promise<Clicker> {
  const options = { viewport, locale, permissions: COPYING, javaScriptEnabled: hasScripts ?? true };
  const context = await browser.newContext({ ...options, ...more });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const button = (words: string) => page.getByRole('button', { name: words, exact: true });
  const labelled = (label: string) => page.getByLabel(label, { exact: true });
  return {
    page,
    async goTo(address) {
      const own = `li a[href="${address}"]`;
      const link = page.locator(`nav ${own}`);
      await link.waitFor({ state: 'attached' });
      if (viewport.width < MENU_FOLDS_BELOW) await page.locator('.menu-button').click();
      else if (!(await link.isVisible()))
        await page
          .locator('.group')
          .filter({ has: page.locator(own) })
          .locator('> a')
          .click();
      await link.click();
      await page.waitForURL(`**${address}`);
    },
    async press(words) {
      await button(words).first().click();
      await agree(page);
    },
    follow: (words) => page.getByRole('link', { name: words }).first().click(),
    fill: (label, text) => labelled(label).fill(text),
    choose: async (label, option) => void (await labelled(label).selectOption({ label: option })),
    sees: (words) => page.getByText(words).filter({ visible: true }).first().waitFor(),
    async leave() {
      await context.close();
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
  };
}

/** Agrees to what a page asks before it sends a form. */
export async function agree(page: Page): Promise<void> {
  const yes = page.locator('dialog[open] button[value="yes"]');
  if ((await yes.count()) > 0) await yes.click();
}

/**
 * What browsers and htmx report as errors: responses to invalid forms, and requests that a newer one or a new page
 * replaces. A request that fails is reported by its own name too.
 */
const EXPECTED = /^(?:Failed to load resource|htmx:(?:afterRequest|sendAbort))/;

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (said) => {
    const text = said.text();
    if (said.type() === 'error' && !EXPECTED.test(text)) complaints.push(text);
  });
  return complaints;
}
