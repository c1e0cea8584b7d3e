import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Seat } from './clicker.ts';

/** Where the pictures of the documents go when they are to be made again, `docs/images`: docs/commands.md */
const FOLDER = process.env['PICTURES'];

const NARROW = 800;
/** In percent: a page stays within the size that `test/docs/images.test.ts` allows. */
const QUALITY = 60;

export interface Picture {
  name: string;
  /** How much of the page is shown at a desk, from its top on. */
  height?: number;
  /** Whether there is one of a phone beside it. */
  isOfPhoneToo?: boolean;
}

/** They are in English, as the documents are. */
export async function keep(page: Page, seat: Seat, { name, height = 640, isOfPhoneToo = false }: Picture) {
  if (FOLDER === undefined || seat.language !== 'en' || seat.hasScripts === false) return;
  const isPhone = seat.viewport.width < NARROW;
  if (isPhone && !isOfPhoneToo) return;
  const before = page.viewportSize();
  if (!isPhone) await page.setViewportSize({ width: 1200, height });
  const path = join(FOLDER, `${name}${isPhone ? '-phone' : ''}.jpg`);
  await page.screenshot({ path, type: 'jpeg', quality: QUALITY });
  if (before) await page.setViewportSize(before);
}
