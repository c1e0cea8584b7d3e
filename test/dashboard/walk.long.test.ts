import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Stripe } from 'stripe';
import { openBrowser } from '../support/pages/browser.ts';
import { DESK, PHONE } from '../support/pages/page-check.ts';
import type { Receiver } from '../support/receiver.ts';
import { startService, type RunningInstance } from '../support/service.ts';

/** The whole way of somebody who has never been here, in the running service: by what stands on the pages alone. */

let service: RunningInstance;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const HEARD_MS = 30_000;

/** Of the button with this action, whatever language it is in. */
const buttonOf = (page: Page, action: string) => page.locator(`form[action${action}] button`);

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto(service.running().dashboardUrl ?? '');
  await page.getByRole('link', { name }).click();
  await page.locator('h1').waitFor();
}

/** By the menu, which a phone folds away. */
async function goTo(page: Page, address: string): Promise<void> {
  const menu = page.locator('.menu-button');
  if (await menu.isVisible()) await menu.click();
  await page.locator(`nav a[href="${address}"]`).click();
  await page.waitForURL(`**${address}`);
}

/** Returns the secret, which stands there this once. */
async function addEndpoint(page: Page, receiver: Receiver): Promise<string> {
  await goTo(page, '/integrations/endpoints');
  await page.locator('a[href="/integrations/endpoints/new"]').first().click();
  await page.locator('input[name="url"]').fill(receiver.url());
  await buttonOf(page, '="/integrations/endpoints/new"').last().click();
  return (
    (await page
      .getByText(/^whsec_\S+$/)
      .first()
      .textContent()) ?? ''
  );
}

function verified(receiver: Receiver, secret: string, at: number): Stripe.Event {
  const { body = '', headers } = receiver.requests[at] ?? {};
  const signature = String(headers?.['x-service-signature']);
  return Stripe.webhooks.constructEvent(body, signature, secret);
}

/** On a weekday to come, at the first time that is free. */
async function bookByHand(page: Page): Promise<void> {
  await goTo(page, '/appointments');
  await page.locator('a[href^="/appointments/new"]').first().click();
  const day = new Date(Date.now() + 86_400_000);
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() + 1);
  await page.locator('input[name="day"]').fill(day.toISOString().slice(0, 10));
  await page.locator('button[value="times"]').click();
  await page.locator('input[name="time"]').first().check();
  await page.locator('input[name="patientName"]').fill('Maria Silva');
  await page.locator('input[name="patientPhone"]').fill('+351912345678');
  await page.locator('button[value="book"]').click();
  await page.waitForURL(/\/appointments\/[0-9a-f-]{36}/);
}

test.each([
  ['at a desk in English', { viewport: DESK, locale: 'en-GB' }, /^Yes, it has reached/],
  ['on a phone in Portuguese', { viewport: PHONE, locale: 'pt-PT' }, /^Sim, chegou a/],
] as const)('from the sign-in to a verified webhook of a booking, %s', async (_where, options, reached) => {
  const receiver = await service.receiver();
  const page = await (await browser.newContext(options)).newPage();
  await signIn(page, 'Ana Martins');
  const secret = await addEndpoint(page, receiver);
  await buttonOf(page, '$="/test"').click();
  await page.waitForURL('**/integrations/deliveries/*');
  await receiver.received(1);
  expect(verified(receiver, secret, 0).type).toBe('webhook.test');

  await bookByHand(page);
  await receiver.received(2);
  expect(verified(receiver, secret, 1).type).toBe('appointment.created');
  await page.locator('.notice').filter({ hasText: reached }).waitFor({ timeout: HEARD_MS });
  await page.context().close();
});

test('support finds the booking by its id and sees that it has arrived, but not whose it is', async () => {
  const page = await (await browser.newContext({ viewport: DESK, locale: 'en-GB' })).newPage();
  await signIn(page, 'Ana Martins');
  await goTo(page, '/integrations/deliveries');
  await page.locator('table a').first().click();
  const id = page.url().split('/').at(-1) ?? '';
  await page.context().close();

  const desk = await (await browser.newContext({ viewport: DESK, locale: 'en-GB' })).newPage();
  await signIn(desk, 'Sofia Nunes');
  await desk.locator('input[name="q"]').fill(id);
  await desk.locator('form[role="search"] button').click();
  await desk.getByRole('link', { name: 'Show it' }).click();
  await desk.getByText('received with attempt 1').waitFor();
  expect(await desk.content()).not.toContain('Maria Silva');
  await desk.context().close();
});
