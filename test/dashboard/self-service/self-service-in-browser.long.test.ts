import { expect, test } from '@jest/globals';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, sitDown, type Seat } from '../../support/pages/clicker.ts';
import { startTestDashboard } from '../../support/pages/dashboard-server.ts';
import { bookAlone, moveAndCancelAlone, openToPatients } from './self-service-walk.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';
import { forSuite } from '../../support/for-suite.ts';

const [dashboard, browser] = await Promise.all([forSuite(startTestDashboard()), forSuite(openBrowser())]);
await openToPatients(dashboard);

/** Where pictures go, for anyone who wants to look at the pages. */
const pictures = process.env['SELF_SERVICE_PICTURES'];

const SEATS: Seat[] = [
  AT_A_DESK,
  ON_A_PHONE,
  {
    ...AT_A_DESK,
    where: 'at a desk in Portuguese, without scripts',
    language: 'pt',
    locale: 'pt-PT',
    hasScripts: false,
  },
  {
    ...ON_A_PHONE,
    where: 'on a phone in English, without scripts',
    language: 'en',
    locale: 'en-GB',
    hasScripts: false,
  },
];

let phones = 920_000_000;

test.each(SEATS)('a patient books, moves and cancels alone, $where', async (seat) => {
  phones += 1;
  const walk = { url: dashboard.url, seat, problems: [], pictures };
  const patient = await sitDown(browser, seat);
  await bookAlone(patient, walk, String(phones));
  await moveAndCancelAlone(patient, walk);
  await patient.leave();
  expect(walk.problems).toEqual([]);
  const own = await storedAppointments(dashboard.database, { source: 'self_service' }, 'Maria Santos');
  const [moved, last] = own.toSorted((one, other) => +other.createdAt - +one.createdAt);
  expect([moved?.status, last?.status]).toEqual(['cancelled', 'rescheduled']);
});
