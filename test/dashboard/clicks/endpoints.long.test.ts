import { expect, test } from '@jest/globals';
import { EVENT_WORDS } from '../../../dashboard/webhooks/event-words.ts';
import { DETAIL_WORDS } from '../../../dashboard/webhooks/endpoints/detail-words.ts';
import { URL_WORDS } from '../../../dashboard/webhooks/endpoints/url-words.ts';
import { ENDPOINT_WORDS } from '../../../dashboard/webhooks/endpoints/words.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, signIn } from '../../support/pages/clicker.ts';
import { startService } from '../../support/servers/service.ts';
import { CALM_FIRST_RETRY, clinicAtWork } from './clinic-at-work.ts';
import { verified } from './received-webhooks.ts';
import { forSuite } from '../../support/for-suite.ts';

/** An endpoint from the first word of its URL to its end. */

const [service, browser] = await Promise.all([
  forSuite(startService(CALM_FIRST_RETRY)),
  forSuite(openBrowser()),
]);

const SECRET = /^whsec_\S+$/;

test.each([AT_A_DESK, ON_A_PHONE])(
  'an endpoint is added after a URL that was wrong, tested, given a new secret, switched off and on, and deleted, $where',
  async (seat) => {
    const words = ENDPOINT_WORDS[seat.language];
    const details = DETAIL_WORDS[seat.language];
    const url = URL_WORDS[seat.language];
    const events = EVENT_WORDS[seat.language];
    const clinic = clinicAtWork(service);
    const receiver = await service.receiver();
    // The one of the examples.
    await clinic.removeEndpoints();
    const ana = await signIn(browser, service.running().dashboardUrl, 'Ana Martins', seat);
    const { page } = ana;
    const secretShown = async () => (await page.getByText(SECRET).first().textContent()) ?? '';

    await ana.goTo('/integrations/endpoints');
    await ana.follow(words.newEndpoint);
    const { pathname } = new URL(page.url());
    await ana.fill(words.form.fields.url, 'http://pms.example.com/hook');
    await page.keyboard.press('Tab');
    await ana.sees(url.refused.not_https);
    await ana.fill(words.form.fields.url, receiver.url());
    await page.keyboard.press('Tab');
    await ana.sees(url.fine);
    expect(new URL(page.url()).pathname).toBe(pathname);

    await page.getByLabel(events.all).uncheck();
    await page.getByText(words.single).first().click();
    await page.getByText(`${words.sample}: appointment.created`).first().click();
    await ana.sees(/"type": "appointment.created"/);
    await page.getByRole('checkbox', { name: 'appointment.created' }).check();
    await ana.fill(words.form.fields.description, `Novigest ${seat.language}`);
    await ana.press(words.create);
    const first = await secretShown();
    await ana.press(words.shown.test);
    await page.waitForURL('**/integrations/deliveries/*');
    await receiver.received(1);
    expect(verified(receiver, 0, first).type).toBe('webhook.test');

    await ana.goTo('/integrations/endpoints');
    await ana.follow(`Novigest ${seat.language}`);
    const address = page.url();
    expect(await page.content()).not.toContain(first);
    await ana.choose(details.secret.overlap, details.secret.overlaps['3600'] ?? '');
    await ana.press(details.secret.button);
    const second = await secretShown();
    expect(second).not.toBe(first);
    await ana.follow(words.shown.done);
    await ana.sees(
      seat.language === 'en' ? /An old secret expires in/ : /Um segredo antigo expira dentro de/,
    );
    await clinic.book('Maria Silva');
    await receiver.received(2);
    for (const secret of [first, second])
      expect(verified(receiver, 1, secret).type).toBe('appointment.created');

    await ana.press(details.off.button);
    await ana.sees(words.about.disabled);
    const missed = await clinic.book('Rui Costa');
    await page.reload();
    await ana.press(details.enableAndSend('1'));
    await receiver.received(3);
    expect(verified(receiver, 2, second).type).toBe('appointment.created');
    expect(receiver.requests[2]?.body).toContain(missed);

    await page.goto(address);
    await ana.sees(words.about.active);
    await ana.press(details.off.button);
    await ana.press(details.enable.off.button);
    await ana.sees(words.about.active);
    await page.getByLabel(details.remove.sure).check();
    await ana.press(details.remove.button);
    await page.waitForURL('**/integrations/endpoints');
    await ana.sees(words.none);
    await ana.leave();
  },
);
