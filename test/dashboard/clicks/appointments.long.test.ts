import { byActor } from '../../../dashboard/language/actor-name.ts';
import { expect, test } from '@jest/globals';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { BOOKING_WORDS } from '../../../dashboard/appointments/booking-words.ts';
import { TIMELINE_WORDS } from '../../../dashboard/appointments/one-appointment/timeline-words.ts';
import { APPOINTMENT_WORDS } from '../../../dashboard/appointments/words.ts';
import { CALL_WORDS } from '../../../dashboard/calls/words.ts';
import { ERROR_WORDS } from '../../../dashboard/layout/error-words.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, signIn, type Clicker, type Seat } from '../../support/pages/clicker.ts';
import { startService } from '../../support/servers/service.ts';
import { until } from '../../support/until.ts';
import { clinicAtWork } from './clinic-at-work.ts';
import { recordCall } from './recorded-call.ts';
import { forSuite } from '../../support/for-suite.ts';

/** The day at the reception. */

const [service, browser] = await Promise.all([forSuite(startService()), forSuite(openBrowser())]);

/** On which the clinic is open, more than a day away. */
function aWeekday(): string {
  const day = new Date(Date.now() + 2 * 86_400_000);
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

/** Fills in everything but presses nothing yet; returns the time that was chosen and with whom. */
async function fillInBooking(rita: Clicker, { language }: Seat, patientName: string) {
  const words = BOOKING_WORDS[language];
  await rita.goTo('/appointments');
  await rita.follow(words.title);
  await rita.page.locator('input[name="service"]').first().check();
  await rita.fill(words.day, aWeekday());
  await rita.press(words.showTimes);
  await rita.page.locator('input[name="time"]').first().check();
  await rita.fill(words.name, patientName);
  await rita.fill(words.phone, '+351 912 345 678');
  await rita.fill(words.notes, 'Afraid of needles');
  const time = await rita.page.locator('input[name="time"]:checked').getAttribute('value');
  const [startsAt, professionalId] = (time ?? '').split('/');
  return { startsAt, professionalId };
}

test.each([AT_A_DESK, ON_A_PHONE])(
  'a patient is booked although the time was just taken, moved and checked in; another cancels, $where',
  async (seat) => {
    const words = ONE_APPOINTMENT_WORDS[seat.language];
    const booking = BOOKING_WORDS[seat.language];
    const { statuses, reasons } = APPOINTMENT_WORDS[seat.language];
    const timeline = TIMELINE_WORDS[seat.language];
    const clinic = clinicAtWork(service);
    const rita = await signIn(browser, service.running().dashboardUrl, 'Rita Lopes', seat);
    const { page } = rita;

    const taken = await fillInBooking(rita, seat, 'Maria Silva');
    const serviceTypeId = clinic.services[0]?.id;
    const elsewhere = { patientName: 'Rui Costa', patientPhone: '+351910000000', serviceTypeId };
    await clinic.ask('POST', '/v1/appointments', { ...elsewhere, ...taken });
    await rita.press(booking.book);
    await rita.sees(ERROR_WORDS[seat.language].codes.slot_conflict);
    await page.locator('input[name="time"]').nth(1).check();
    await rita.press(booking.book);
    await rita.sees('Afraid of needles');
    await rita.sees(statuses.confirmed);

    const before = page.url();
    await rita.follow(booking.move);
    await page.locator('input[name="time"]').last().check();
    await rita.press(booking.moveButton);
    await rita.sees(timeline.chain);
    expect(page.url()).not.toBe(before);
    await page.goto(before);
    await rita.sees(words.movedTo);
    await page.locator('main .notice a').first().click();
    await rita.sees(timeline.thisOne);
    await rita.press(words.checkIn);
    await rita.sees(statuses.attended);
    await rita.sees(byActor('person:rita', new Map([['person:rita', 'Rita Lopes']]), seat.language));

    await fillInBooking(rita, seat, 'Beatriz Nunes');
    await rita.press(booking.book);
    await page.getByText(words.cancel.title, { exact: true }).click();
    await rita.choose(words.cancel.reason, reasons.clinic_cancelled);
    await rita.press(words.cancel.button);
    await rita.sees(statuses.cancelled);
    await rita.sees(reasons.clinic_cancelled);
    await rita.leave();
  },
);

test.each([AT_A_DESK, ON_A_PHONE])(
  'a call is found, read and heard, by the keyboard too, $where',
  async (seat) => {
    const words = CALL_WORDS[seat.language];
    await recordCall(service, clinicAtWork(service));
    const rita = await signIn(browser, service.running().dashboardUrl, 'Rita Lopes', seat);
    const { page } = rita;
    await rita.goTo('/calls');
    await rita.choose(words.filters.outcome, words.outcomes.booking_created);
    await rita.press(words.filters.show);
    await page.locator('table a').first().click();
    await rita.sees('Queria marcar uma limpeza.');
    const audio = page.locator('audio');
    const piece = page.waitForResponse(
      (response) => response.request().resourceType() === 'media' && response.status() !== 303,
    );
    await audio.focus();
    await page.keyboard.press('Space');
    expect((await piece).status()).toBe(206);
    await until('the recording to be heard', () => page.evaluate('document.querySelector("audio").ended'));
    await rita.leave();
  },
);
