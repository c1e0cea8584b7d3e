import { expect, test } from '@jest/globals';
import { ONE_APPOINTMENT_WORDS } from '../../dashboard/appointments/appointment-words.ts';
import { INFORMED_WORDS } from '../../dashboard/appointments/one-appointment/informed-words.ts';
import { BOOKING_WORDS } from '../../dashboard/appointments/booking-words.ts';
import { FRAME_WORDS } from '../../dashboard/layout/words.ts';
import { OVERVIEW_WORDS } from '../../dashboard/overview/words.ts';
import { SEARCH_WORDS } from '../../dashboard/search/words.ts';
import { DELIVERY_WORDS } from '../../dashboard/webhooks/deliveries/words.ts';
import { URL_WORDS } from '../../dashboard/webhooks/endpoints/url-words.ts';
import { ENDPOINT_WORDS } from '../../dashboard/webhooks/endpoints/words.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, signIn, sitDown, type Clicker, type Seat } from '../support/pages/clicker.ts';
import { keep } from '../support/pages/pictures.ts';
import { startService } from '../support/servers/service.ts';
import { aClinicThatBegins, clinicAtWork } from './clicks/clinic-at-work.ts';
import { verified } from './clicks/received-webhooks.ts';
import { forSuite } from '../support/for-suite.ts';

/** The whole way of someone who has never been here, in the running service: docs/dashboard-walk.md */

const [service, browser] = await Promise.all([forSuite(startService()), forSuite(openBrowser())]);

/** Past all that stands in the menu and before a form. */
const MAX_TABS = 40;

/** On a weekday to come, at the first time that is free. */
async function bookByHand(ana: Clicker, { language }: Seat): Promise<void> {
  const words = BOOKING_WORDS[language];
  await ana.goTo('/appointments');
  await ana.follow(words.title);
  const day = new Date(Date.now() + 86_400_000);
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() + 1);
  await ana.page.locator('input[name="service"]').first().check();
  await ana.fill(words.day, day.toISOString().slice(0, 10));
  await ana.press(words.showTimes);
  await ana.page.locator('input[name="time"]').first().check();
  await ana.fill(words.name, 'Maria Silva');
  await ana.fill(words.phone, '+351912345678');
  await ana.press(words.book);
  await ana.sees(ONE_APPOINTMENT_WORDS[language].bookedBy);
}

/** With Tab alone, to what reads so; it can be seen that the focus is there. */
async function tabTo({ page }: Clicker, words: string): Promise<void> {
  const named = { name: words };
  const wanted = page
    .getByRole('link', named)
    .or(page.getByRole('button', named))
    .or(page.getByRole('textbox', named));
  for (let pressed = 0; pressed < MAX_TABS; pressed += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator('*:focus').and(wanted).count()) === 0) continue;
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
    return;
  }
  throw new Error(`${MAX_TABS} Tabs do not lead to ${words}`);
}

test.each([AT_A_DESK, ON_A_PHONE])('from the sign-in to a verified test delivery, $where', async (seat) => {
  const words = ENDPOINT_WORDS[seat.language];
  await using _ = await aClinicThatBegins(service);
  const receiver = await service.receiver();
  const ana = await signIn(browser, service.running().dashboardUrl, 'Ana Martins', seat);
  await keep(ana.page, seat, { name: 'dashboard-walk-start', height: 600 });
  await ana.follow(OVERVIEW_WORDS[seat.language].step.endpoint);
  await ana.fill(words.form.fields.url, receiver.url());
  await ana.page.keyboard.press('Tab');
  await ana.sees(URL_WORDS[seat.language].fine);
  await keep(ana.page, seat, { name: 'dashboard-walk-endpoint', height: 600 });
  await ana.press(words.create);
  await ana.press(FRAME_WORDS[seat.language].copy);
  const secret = String(await ana.page.evaluate('navigator.clipboard.readText()'));
  await keep(ana.page, seat, { name: 'dashboard-walk-secret', height: 600 });
  await ana.press(words.shown.test);
  await ana.sees(DELIVERY_WORDS[seat.language].about.succeeded);
  await keep(ana.page, seat, { name: 'dashboard-walk-delivered', height: 600 });
  expect(verified(receiver, 0, secret).type).toBe('webhook.test');
  await ana.leave();
});

test.each([AT_A_DESK, ON_A_PHONE])('the same by the keys Tab and Enter alone, $where', async (seat) => {
  const words = ENDPOINT_WORDS[seat.language];
  const { sections, menu } = FRAME_WORDS[seat.language];
  const receiver = await service.receiver();
  const ana = await sitDown(browser, seat);
  const press = async (name: string) => {
    await tabTo(ana, name);
    await ana.page.keyboard.press('Enter');
  };
  await ana.page.goto(service.running().dashboardUrl ?? '');
  await press('Ana Martins');
  await ana.page.waitForURL(`${service.running().dashboardUrl}/**`);
  await press(seat === ON_A_PHONE ? menu : sections.integrations);
  if (seat !== ON_A_PHONE) await ana.page.waitForURL('**/integrations/keys');
  await press(sections.endpoints);
  await ana.page.waitForURL('**/integrations/endpoints');
  await press(words.newEndpoint);
  await ana.page.waitForURL('**/integrations/endpoints/new');
  await tabTo(ana, words.form.fields.url);
  await ana.page.keyboard.type(receiver.url());
  await press(words.create);
  await ana.sees(words.shown.text);
  await press(words.shown.test);
  await ana.sees(DELIVERY_WORDS[seat.language].about.succeeded);
  await clinicAtWork(service).removeEndpoints();
  await ana.leave();
});

test.each([AT_A_DESK, ON_A_PHONE])(
  'a booking by hand arrives, verified, and its page says so, $where',
  async (seat) => {
    const clinic = clinicAtWork(service);
    const receiver = await service.receiver();
    const { secret } = await clinic.addEndpoint(receiver);
    const ana = await signIn(browser, service.running().dashboardUrl, 'Ana Martins', seat);
    await bookByHand(ana, seat);
    await receiver.received(1);
    expect(verified(receiver, 0, secret).type).toBe('appointment.created');
    const reached = INFORMED_WORDS[seat.language].informed('1', '1');
    await ana.page.locator('.notice').filter({ hasText: reached }).waitFor();
    await clinic.removeEndpoints();
    await ana.leave();
  },
);

test('support finds a delivery by its id and sees that it has arrived, but not whose it is', async () => {
  const clinic = clinicAtWork(service);
  const receiver = await service.receiver();
  await clinic.addEndpoint(receiver);
  await clinic.book('Maria Silva');
  await receiver.received(1);
  const id = String(receiver.requests[0]?.headers['x-service-delivery-id']);

  const sofia = await signIn(browser, service.running().dashboardUrl, 'Sofia Nunes', AT_A_DESK);
  const { anything: box } = SEARCH_WORDS.en;
  await sofia.fill(box.label, id);
  await sofia.press(box.button);
  await sofia.sees('received at attempt 1');
  expect(await sofia.page.content()).not.toContain('Maria Silva');
  await sofia.leave();
});
