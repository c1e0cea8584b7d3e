import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export const PHONE = { width: 360, height: 740 };
export const TABLET = { width: 820, height: 1180 };
export const DESK = { width: 1440, height: 900 };

/** The problems of a page in a browser. */
export async function problemsOf(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  alsoLook: (page: Page) => Promise<string[]> = () => Promise.resolve([]),
): Promise<string[]> {
  const inLight = await inBrowser(
    browser,
    { ...options, colorScheme: 'light', viewport: DESK },
    address,
    async (page) => [
      ...(await alsoLook(page)),
      ...(await accessProblems(page, 'light')),
      ...(await widthProblems(page)),
    ],
  );
  const inDark = await inBrowser(
    browser,
    { ...options, colorScheme: 'dark', viewport: PHONE },
    address,
    (page) => accessProblems(page, 'dark'),
  );
  return [...inLight, ...inDark];
}

/** Opens a page, and adds its external requests and complaints to what `look` finds. */
export async function inBrowser(
  browser: Browser,
  options: BrowserContextOptions,
  address: string,
  look: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const context = await browser.newContext(options);
  const problems: string[] = [];
  const page = await context.newPage();
  const { origin } = new URL(address);
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`asks ${request.url()}`);
  });
  page.on('pageerror', ({ message }) => problems.push(`throws ${message}`));
  page.on('console', (said) => {
    if (said.type() === 'error') problems.push(`says ${said.text()}`);
  });
  await page.goto(address, { waitUntil: 'load' });
  problems.push(...(await look(page)));
  await context.close();
  return problems;
}

/** The same for the current page at its current width. @param hasScripts false checks only the width */
export async function problemsNow(page: Page, hasScripts: boolean): Promise<string[]> {
  const at = new URL(page.url()).pathname;
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const own = page.viewportSize()?.width ?? 0;
  const problems = hasScripts ? await accessProblems(page, at) : [];
  return width > own ? [...problems, `${at}: is ${width} wide where ${own} are`] : problems;
}

/** The main buttons of the page, if there are several: a page has one thing to do first. */
export async function severalMainButtons(page: Page): Promise<string[]> {
  const names = await page.evaluate<string[]>(MAIN_BUTTONS);
  return names.length > 1 ? [`has the main buttons ${names.join(', ')}`] : [];
}

/** Buttons, and links that look like them, which are filled with the colour of the page. */
const MAIN_BUTTONS = `[...document.querySelectorAll('main button, main .button')]
  .filter((button) => button.checkVisibility())
  .filter((button) => getComputedStyle(button).backgroundColor === getComputedStyle(document.documentElement).accentColor)
  .map((button) => button.textContent.trim())`;

async function accessProblems(page: Page, scheme: string): Promise<string[]> {
  // Pages have no frames, so no second page has to put their results together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) => `${scheme}: ${id} at ${nodes.map(({ target }) => target).join(' | ')}`,
  );
}

async function widthProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const viewport of [PHONE, TABLET, DESK]) {
    await page.setViewportSize(viewport);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    if (width !== viewport.width) problems.push(`is ${String(width)} wide where ${viewport.width} are`);
  }
  return problems;
}
