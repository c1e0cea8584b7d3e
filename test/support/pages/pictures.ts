import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Seat } from './clicker.ts';

/** The folder for new screenshots of the documents, `docs/images`: docs/commands.md */
const FOLDER = process.env['PICTURES'];

const NARROW = 800;
/** In percent: a page stays within the size that `test/docs/guides.test.ts` allows. */
const QUALITY = 60;

export interface Picture {
  name: string;
  /** The visible height on a desktop. */
  height?: number;
  /** Whether to add a phone screenshot. */
  isOfPhoneToo?: boolean;
}

/** In English, like the documents. */
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
