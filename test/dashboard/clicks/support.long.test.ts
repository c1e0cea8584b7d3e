import { expect, test } from '@jest/globals';
import { TIMELINE_WORDS } from '../../../dashboard/appointments/one-appointment/timeline-words.ts';
import { HISTORY_WORDS } from '../../../dashboard/support/history-words.ts';
import { SEARCH_WORDS } from '../../../dashboard/search/words.ts';
import { DESK_WORDS } from '../../../dashboard/support/desk-words.ts';
import { SUPPORT_WORDS } from '../../../dashboard/support/words.ts';
import { RETRY_WORDS } from '../../../dashboard/webhooks/deliveries/retry-words.ts';
import { FAILURE_WORDS } from '../../../dashboard/webhooks/failure-words.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, signIn } from '../../support/pages/clicker.ts';
import { answerWith } from '../../support/servers/receiver.ts';
import { startService } from '../../support/servers/service.ts';
import { CALM_FIRST_RETRY, clinicAtWork } from './clinic-at-work.ts';
import { forSuite } from '../../support/for-suite.ts';

/** The desk of those who help all clinics. */

const [service, browser] = await Promise.all([
  forSuite(startService(CALM_FIRST_RETRY)),
  forSuite(openBrowser()),
]);

/** A minute of waiting makes an endpoint stuck, and the board shows it by itself within ten seconds more. */
const STUCK_MS = 120_000;

test.each([AT_A_DESK, ON_A_PHONE])(
  'what does not arrive is found by its id, its story is read without the patient, and all of it is retried, $where',
  async (seat) => {
    const words = SUPPORT_WORDS[seat.language];
    const { anything: box } = SEARCH_WORDS[seat.language];
    const history = HISTORY_WORDS[seat.language];
    const clinic = clinicAtWork(service);
    const receiver = await service.receiver();
    receiver.otherwise(answerWith(500));
    await clinic.addEndpoint(receiver);
    const appointmentId = await clinic.book('Maria Silva');
    await receiver.received(1);
    const sofia = await signIn(browser, service.running().dashboardUrl, 'Sofia Nunes', seat);
    const { page } = sofia;

    await sofia.fill(box.label, 'PMS-0');
    await sofia.press(box.button);
    await sofia.sees(DESK_WORDS[seat.language].search.none);
    await sofia.fill(box.label, appointmentId);
    await page.keyboard.press('Enter');
    await sofia.sees(TIMELINE_WORDS[seat.language].title);
    expect(await page.content()).not.toContain('Maria Silva');
    await sofia.press(history.appointment.showPatient);
    await sofia.sees('Maria Silva');

    await sofia.goTo('/support/stuck');
    await page
      .locator('table')
      .getByText(FAILURE_WORDS[seat.language].http_5xx.title)
      .waitFor({ timeout: STUCK_MS });
    await page.locator('table a[href^="/support/deliveries/"]').first().click();
    await sofia.sees(history.delivery.situation);
    receiver.otherwise(answerWith(200));
    await page.goBack();
    await sofia.press(RETRY_WORDS[seat.language].button('1', '1'));
    await sofia.sees(words.stuck.retried(1, '1'));
    await receiver.received(2);
    await sofia.sees(words.stuck.none);
    await sofia.follow(words.stuck.health);
    await sofia.sees(words.health.well);
    await sofia.leave();
  },
);
