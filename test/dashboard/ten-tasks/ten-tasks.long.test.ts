import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, sitDown, type Seat } from '../../support/pages/clicker.ts';
import { signedIn } from '../sessions/signed-in.ts';
import { fillToday, startClinicDay, type ClinicDay } from './clinic-day.ts';
import { countedHand } from './hand.ts';
import { RECEPTION_TASKS } from './reception-tasks.ts';
import { RIGHTS_TASKS } from './rights-tasks.ts';
import { WEBHOOK_TASKS } from './webhook-tasks.ts';
import { forSuite } from '../../support/for-suite.ts';

/**
 * What people open the dashboard for, in as few presses as it may take: at a desk and on a phone, in both languages, with
 * scripts and without. On each page that they see nothing is inaccessible, and nothing wider than the screen.
 */

const DESK = { viewport: { width: 1280, height: 800 } };
const ENGLISH = { language: 'en', locale: 'en-GB' } as const;
const PORTUGUESE = { language: 'pt', locale: 'pt-PT' } as const;
const SEATS: readonly Seat[] = [
  { ...AT_A_DESK, ...DESK, ...ENGLISH, where: 'at a desk in English' },
  { ...AT_A_DESK, ...DESK, ...PORTUGUESE, where: 'at a desk in Portuguese' },
  { ...ON_A_PHONE, ...ENGLISH, where: 'on a phone in English' },
  { ...ON_A_PHONE, ...PORTUGUESE, where: 'on a phone in Portuguese' },
  { ...AT_A_DESK, ...DESK, ...PORTUGUESE, where: 'at a desk without scripts', hasScripts: false },
  { ...ON_A_PHONE, ...ENGLISH, where: 'on a phone without scripts', hasScripts: false },
];

const browser = await forSuite(openBrowser());

describe.each(SEATS)('$where', (seat) => {
  let clinicDay: ClinicDay;
  const figures: string[] = [];
  beforeAll(async () => {
    clinicDay = await startClinicDay();
    await fillToday(clinicDay);
  });
  afterAll(async () => {
    await clinicDay[Symbol.asyncDispose]();
    process.stderr.write(`${seat.where}:\n${figures.join('\n')}\n`);
  });

  test.each([...RECEPTION_TASKS, ...RIGHTS_TASKS, ...WEBHOOK_TASKS])(
    '$title with $most presses',
    async ({ title, who, most, prepare }) => {
      const carryOut = await prepare(clinicDay);
      const clicker = await sitDown(browser, seat, await signedIn(clinicDay, who));
      const hand = countedHand(clicker, seat, clinicDay.url);
      await carryOut(hand);
      await clicker.leave();
      const { presses, tookMs, problems } = hand.done();
      figures.push(`${presses} of ${most} presses, ${(tookMs / 1000).toFixed(2)} s: ${title}`);
      expect(problems).toEqual([]);
      expect(presses).toBeLessThanOrEqual(most);
    },
  );
});
