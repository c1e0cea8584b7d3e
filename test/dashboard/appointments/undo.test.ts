import { afterAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { CALL_WORDS } from '../../../dashboard/calls/words.ts';
import { FRAME_WORDS } from '../../../dashboard/layout/words.ts';
import { CallEntity } from '../../../db/entities/calls/call.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { book } from '../../support/clinic.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { startTestDashboard } from '../../support/pages/dashboard-server.ts';
import { DESK, PHONE, problemsNow } from '../../support/pages/page-check.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { aCall } from '../calls/a-call.ts';
import { signedIn } from '../sessions/signed-in.ts';

const NOW = new Date('2027-11-23T18:00:00Z');
const DAY = '2027-11-23';
const { undo } = FRAME_WORDS.en;
const { done, checkIn } = ONE_APPOINTMENT_WORDS.en;

const [dashboard, browser] = await Promise.all([startTestDashboard({ now: () => NOW }), openBrowser()]);
const { database, clinic } = dashboard;
const [first = '', second = ''] = clinic.professionalIds;
const config = { timezone: 'Europe/Lisbon', businessHours: { tue: [['08:00', '20:00']] as const } };
await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, { config });
for (let hour = 8; hour < 18; hour += 1)
  for (const professionalId of [first, second]) {
    const startsAt = new Date(`${DAY}T${String(hour).padStart(2, '0')}:00:00Z`);
    const patientName = `${professionalId === first ? 'First' : 'Second'} at ${hour}`;
    await book(database, clinic, { startsAt, professionalId, patientName, mayBackdate: true });
  }
afterAll(async () => {
  await browser.close();
  await dashboard[Symbol.asyncDispose]();
});

async function theDay(options: BrowserContextOptions): Promise<Page> {
  const still = { reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...(await signedIn(dashboard, 'rita')), ...still, ...options });
  const page = await context.newPage();
  await page.goto(`${dashboard.url}/appointments?day=${DAY}`);
  return page;
}

/** Whether all of it is within the window and below the header that stays in place. */
async function isInSight(page: Page, part: ReturnType<Page['locator']>): Promise<boolean> {
  const box = await part.boundingBox();
  const header = await page.locator('body > header').boundingBox();
  const { height = 0 } = page.viewportSize() ?? {};
  return box !== null && box.y >= (header?.height ?? 0) && box.y + box.height <= height;
}

describe('a check-in far down the day', () => {
  test.each([
    ['at a desk', 'First at 17', { viewport: { ...DESK, height: 600 } }],
    ['on a phone', 'Second at 16', { viewport: PHONE }],
  ])('%s leaves the page where it is, and is undone from there', async (_, patient, options) => {
    const page = await theDay(options);
    const line = page.locator('.visit', { hasText: patient });
    const button = line.getByRole('button');
    await button.scrollIntoViewIfNeeded();
    const before = Number(await page.evaluate('window.scrollY'));
    expect(before).toBeGreaterThan(200);
    await button.click();
    await page.getByText(done.attended(patient)).waitFor();
    await page.waitForLoadState('load');
    expect(Math.abs(Number(await page.evaluate('window.scrollY')) - before)).toBeLessThan(3);
    expect(await isInSight(page, page.getByRole('button', { name: undo }))).toBe(true);
    expect(await problemsNow(page, true)).toEqual([]);
    await page.getByRole('button', { name: undo }).click();
    await page.getByText(done.confirmed(patient)).waitFor();
    await line.getByRole('button', { name: checkIn }).waitFor();
    expect(await isInSight(page, page.getByText(done.confirmed(patient)))).toBe(true);
    await page.context().close();
  });

  test.each([
    ['at a desk', 'Second at 17', { viewport: { ...DESK, height: 600 } }],
    ['on a phone', 'First at 16', { viewport: PHONE }],
  ])('where no scripts run, %s, is in sight afterwards, with its undo', async (_, patient, options) => {
    const page = await theDay({ ...options, javaScriptEnabled: false });
    const line = page.locator('.visit', { hasText: patient });
    await line.getByRole('button').click();
    await page.getByText(done.attended(patient)).waitFor();
    expect(await isInSight(page, line)).toBe(true);
    expect(await isInSight(page, page.getByRole('button', { name: undo }))).toBe(true);
    await page.getByRole('button', { name: undo }).click();
    await page.getByText(done.confirmed(patient)).waitFor();
    expect(await isInSight(page, line)).toBe(true);
    await page.context().close();
  });
});

let days = 0;

test.each([
  ['attended', done.attended],
  ['no_show', done.no_show],
  ['cancelled', done.cancelled],
] as const)('on an appointment’s page, “%s” is confirmed and undone', async (status, words) => {
  const rita = await dashboard.person('rita');
  days += 1;
  const startsAt = new Date(Date.now() - days * 24 * 3_600_000);
  const patientName = `Has been ${status}`;
  const { id } = await book(database, clinic, { startsAt, patientName, mayBackdate: true });
  const { text } = await rita.get(`/appointments/${id}`);
  const asked = { ...formOf(text, `/appointments/${id}`), status, reason: 'clinic_cancelled' };
  const settled = await rita.post(`/appointments/${id}`, asked);
  expect(settled.text).toContain(words(patientName));
  const undone = await rita.submit(`/appointments/${id}/take-back`);
  expect(undone.text).toContain(done.confirmed(patientName));
  expect((await rita.get(settled.url.pathname + settled.url.search)).text).not.toContain(words(patientName));
});

test('a call that was marked as called back comes back to the list with one press', async () => {
  const rita = await dashboard.person('rita');
  const { doneNow } = CALL_WORDS.en.callBack;
  const id = await aCall(dashboard, { outcome: 'voicemail', startedAt: new Date(NOW.getTime() - 3_600_000) });
  for (const list of ['/', '/calls?todo=call-back']) {
    await rita.get(list);
    const marked = await rita.submit(`/calls/${id}/call-back`);
    expect(marked.text).toContain(doneNow);
    expect(marked.text).not.toContain(`href="/calls/${id}"`);
    const again = await rita.submit(`/calls/${id}/call-back`);
    expect(again.text).not.toContain(doneNow);
    expect(again.text).toContain(`href="/calls/${id}"`);
    expect(await database.em().findOneOrFail(CallEntity, { id })).toMatchObject({ calledBackAt: null });
  }
});
