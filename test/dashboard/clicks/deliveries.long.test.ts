import { exec } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { FRAME_WORDS } from '../../../dashboard/layout/words.ts';
import { FAILURE_WORDS } from '../../../dashboard/webhooks/failure-words.ts';
import { RETRY_WORDS } from '../../../dashboard/webhooks/deliveries/retry-words.ts';
import { FILTER_WORDS } from '../../../dashboard/webhooks/deliveries/filter-words.ts';
import { VERIFY_WORDS } from '../../../dashboard/webhooks/deliveries/verify-words.ts';
import { DELIVERY_WORDS } from '../../../dashboard/webhooks/deliveries/words.ts';
import { DETAIL_WORDS } from '../../../dashboard/webhooks/endpoints/detail-words.ts';
import { ENDPOINT_WORDS } from '../../../dashboard/webhooks/endpoints/words.ts';
import { ALERT_WORDS } from '../../../dashboard/webhooks/alerts/words.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { AT_A_DESK, ON_A_PHONE, signIn } from '../../support/pages/clicker.ts';
import { answerWith } from '../../support/servers/receiver.ts';
import { startService } from '../../support/servers/service.ts';
import { until } from '../../support/until.ts';
import { CALM_FIRST_RETRY, clinicAtWork } from './clinic-at-work.ts';
import { forSuite } from '../../support/for-suite.ts';

/** What was sent, what came back, and what someone does about it. */

const [service, browser] = await Promise.all([
  forSuite(startService(CALM_FIRST_RETRY)),
  forSuite(openBrowser()),
]);

/** In a shell, as someone pastes it who trusts the CA of this machine. */
async function paste(command: string): Promise<string> {
  const CURL_CA_BUNDLE = join(service.dataDirectory, 'dev-ca.pem');
  const { stdout } = await promisify(exec)(command, { env: { ...process.env, CURL_CA_BUNDLE } });
  return stdout;
}

test.each([AT_A_DESK, ON_A_PHONE])(
  'a delivery that failed appears by itself, is found, hurried, repeated and examined, $where',
  async (seat) => {
    const words = DELIVERY_WORDS[seat.language];
    const filters = FILTER_WORDS[seat.language];
    const verify = VERIFY_WORDS[seat.language];
    const clinic = clinicAtWork(service);
    const receiver = await service.receiver();
    receiver.otherwise(answerWith(500, 'the database is locked'));
    const { id: endpointId } = await clinic.addEndpoint(receiver);
    const ana = await signIn(browser, service.running().dashboardUrl, 'Ana Martins', seat);
    const { page } = ana;

    await page.goto(`${service.running().dashboardUrl}/integrations/deliveries?endpointId=${endpointId}`);
    await ana.sees(words.noneFound);
    await page.evaluate('window.isStillThisPage = true');
    const appointmentId = await clinic.book('Maria Silva');
    await page.locator('table').getByText(words.states.retrying).waitFor();
    expect(await page.evaluate('window.isStillThisPage')).toBe(true);
    await ana.follow(words.states.succeeded);
    await ana.sees(words.noneFound);
    await ana.follow(words.states.retrying);
    await ana.fill(filters.search, appointmentId);
    await ana.press(filters.find);
    await page.locator('table a').first().click();

    await ana.sees('the database is locked');
    await ana.sees(FAILURE_WORDS[seat.language].http_5xx.title);
    receiver.otherwise(answerWith(200));
    await ana.press(words.retry);
    await ana.sees(words.about.succeeded);
    expect(receiver.requests).toHaveLength(2);
    await ana.press(words.resend);
    await ana.sees(words.heads.resendOf);
    const [, , third] = await receiver.received(3);
    expect(third?.headers['webhook-id']).toBe(receiver.requests[0]?.headers['webhook-id']);
    await ana.sees(words.about.succeeded);

    await page.reload();
    await ana.press(FRAME_WORDS[seat.language].copy);
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(await paste(command)).toContain('200 OK');
    expect(receiver.requests[3]?.body).toBe(third?.body);
    expect(receiver.requests[3]?.headers['x-service-signature']).toBe(third?.headers['x-service-signature']);

    const arrived = { header: String(third?.headers['x-service-signature']), body: String(third?.body) };
    const ask = async (body: string) => {
      await ana.fill(verify.header, arrived.header);
      await ana.fill(verify.body, body);
      await ana.press(verify.button);
    };
    await ask(arrived.body);
    await ana.sees(verify.fits('').split(' ').slice(0, 4).join(' '));
    await ask(JSON.stringify(JSON.parse(arrived.body), null, 2));
    await ana.sees(verify.changes.reformatted);
    await ana.leave();
  },
);

test.each([AT_A_DESK, ON_A_PHONE])(
  'an endpoint that keeps failing causes an alert, and gets what it missed once it is fixed, $where',
  async (seat) => {
    const words = ALERT_WORDS[seat.language];
    const endpoint = ENDPOINT_WORDS[seat.language];
    const details = DETAIL_WORDS[seat.language];
    const clinic = clinicAtWork(service);
    const receiver = await service.receiver();
    receiver.otherwise(answerWith(503));
    const { id: endpointId } = await clinic.addEndpoint(receiver);
    await clinic.book('Rui Costa');
    await receiver.received(1);
    const ana = await signIn(browser, service.running().dashboardUrl, 'Ana Martins', seat);
    const { page } = ana;
    const address = `${service.running().dashboardUrl}/integrations/endpoints/${endpointId}`;

    await page.goto(address);
    await ana.sees(details.heldUp('1'));
    await ana.press(RETRY_WORDS[seat.language].button('1', '1'));
    await page.locator('table').getByText(DELIVERY_WORDS[seat.language].states.failed).waitFor();
    await ana.goTo('/integrations/endpoints');
    await ana.sees(words.unread('1'));
    await ana.press(words.read);
    await expect(page.getByText(words.unread('1')).count()).resolves.toBe(0);
    await ana.follow(words.all);
    await ana.sees(seat.language === 'en' ? /^Read today at/ : /^Lido hoje às/);

    receiver.otherwise(answerWith(200));
    await page.goto(address);
    await ana.sees(FAILURE_WORDS[seat.language].http_5xx.remedy);
    await ana.press(details.sendMissed('1'));
    await receiver.received(7);
    await until('the endpoint to be well again', async () => {
      const { status } = await clinic.ask('GET', `/v1/webhook-endpoints/${endpointId}`);
      return status === 'active';
    });
    await page.goto(address);
    await ana.sees(endpoint.about.active);
    expect(receiver.requests[6]?.body).toBe(receiver.requests[0]?.body);
    await ana.leave();
  },
);
