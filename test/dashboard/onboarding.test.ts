import { expect, test } from '@jest/globals';
import { OVERVIEW_WORDS } from '../../dashboard/overview/words.ts';
import { BOOKING_SETTINGS_WORDS } from '../../dashboard/settings/booking-words.ts';
import { SETTINGS_WORDS } from '../../dashboard/settings/words.ts';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { aKey, anEndpoint, book } from '../support/clinic.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import { anEventFor, attempted } from '../webhooks/recorded-attempts.ts';

/** The owner of a new clinic follows the first steps, one after the other. */

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { tenantId, serviceTypeId } = clinic;
const owner = await dashboard.person('ana');
const { step, steps } = OVERVIEW_WORDS.en;
const { problems, state, wrong } = BOOKING_SETTINGS_WORDS.en;

/** Where the open steps lead. */
async function openSteps(): Promise<Record<string, string>> {
  const { text } = await owner.get('/');
  const list = /<ol>([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? '';
  const links = [...list.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)];
  return Object.fromEntries(links.map(([, address = '', name = '']) => [name, address]));
}

async function opened(name: keyof typeof step): Promise<string> {
  const address = (await openSteps())[step[name]] ?? '';
  await owner.get(address);
  return address;
}

const clinicRow = () => database.em().findOneOrFail(TenantEntity, { id: tenantId });

test('the opening hours are set where the first step leads', async () => {
  const address = await opened('hours');
  const page = await owner.submit(`${address}#hours`, {
    always: '',
    'mon-0-from': '09:00',
    'mon-0-to': '13:00',
  });
  expect(page.text).toContain('Saved.');
  expect((await clinicRow()).config['businessHours']).toEqual({ mon: [['09:00', '13:00']] });
  expect(await openSteps()).not.toHaveProperty([step.hours]);
});

test('the AI receptionist is set up where its step leads', async () => {
  const address = await opened('receptionist');
  await owner.submit(`${address}#receptionist`, { greeting: 'Bom dia!' });
  expect(await openSteps()).not.toHaveProperty([step.receptionist]);
});

test('online booking is not on without an address, and then shows the address that works', async () => {
  const address = await opened('booking');
  const on = { publicBookingEnabled: 'yes', publicSlug: '', serviceTypeIds: '' };
  const refused = await owner.submit(`${address}#booking`, on);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(problems.missing);
  expect(refused.text).not.toContain('Saved.');
  expect((await clinicRow()).publicBookingEnabled).toBe(false);
  expect(await openSteps()).toHaveProperty([step.booking]);

  await owner.get(address);
  const ruled = { minNoticeMinutes: '120', maxDaysAhead: '14', serviceTypeIds: serviceTypeId };
  const done = await owner.submit(`${address}#booking`, { ...on, ...ruled, publicSlug: 'da-luz' });
  expect(done.text).toContain(`${dashboard.url}/book/da-luz`);
  expect((await clinicRow()).config['selfService']).toEqual({
    minNoticeMinutes: 120,
    maxDaysAhead: 14,
    serviceTypeIds: [serviceTypeId],
  });
  const page = await dashboard.stranger().get('/book/da-luz');
  expect([page.status, page.text.includes(serviceTypeId)]).toEqual([200, true]);
  expect(await openSteps()).not.toHaveProperty([step.booking]);

  await owner.get(address);
  const all = await owner.submit(`${address}#booking`, {
    ...on,
    ...ruled,
    publicSlug: 'da-luz',
    serviceTypeIds: '',
  });
  expect(all.text).toContain(state.open);
  expect((await clinicRow()).config['selfService']).toEqual({ minNoticeMinutes: 120, maxDaysAhead: 14 });
});

test.each([
  ['a service that is no longer offered', { serviceTypeIds: [serviceTypeId] }, false],
  ['no service at all', { serviceTypeIds: [] }, true],
])(
  '%s, chosen for online booking, stays chosen when another field is saved',
  async (_, selfService, active) => {
    const config = { ...(await clinicRow()).config, selfService };
    await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { config });
    await database.em().nativeUpdate(ServiceTypeEntity, { id: serviceTypeId }, { active });
    await owner.get('/settings/booking');
    await owner.submit('/settings/booking#booking', { minNoticeMinutes: '90' });
    expect((await clinicRow()).config['selfService']).toMatchObject({ minNoticeMinutes: 90, ...selfService });
    await database.em().nativeUpdate(ServiceTypeEntity, { id: serviceTypeId }, { active: true });
  },
);

test('a mistake in a form of the settings is shown on its page, with its place in the menu', async () => {
  await owner.get('/settings/booking');
  const page = await owner.submit('/settings/booking#booking', { maxDaysAhead: '1000' });
  expect([page.status, page.url.pathname]).toEqual([422, '/settings/booking']);
  expect(page.text).toContain(wrong.maxDaysAhead);
  expect(page.text).toMatch(/href="\/settings\/booking"\s+aria-current="page"/);
  await owner.get('/settings/receptionist');
  const other = await owner.submit('/settings/receptionist#receptionist', { voiceSpeed: '9' });
  expect(other.text).toContain(SETTINGS_WORDS.en.receptionist.wrong.voiceSpeed);
  expect(other.text).toMatch(/href="\/settings\/receptionist"\s+aria-current="page"/);
});

test('a clinic that works is not asked again for what it has decided against', async () => {
  await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { publicBookingEnabled: false });
  await aKey(database, tenantId);
  const endpointId = await anEndpoint(database, tenantId);
  await attempted(database, await anEventFor(database, { tenantId, endpointId }), { number: 1, status: 200 });
  expect(Object.keys(await openSteps())).toEqual([step.booking]);
  await book(database, clinic);
  expect((await owner.get('/')).text).not.toContain(steps.title);
});
