import { expect, test } from '@jest/globals';
import { BLOCK_WORDS } from '../../../dashboard/blocks/words.ts';
import { WEEK_WORDS } from '../../../dashboard/week/words.ts';
import { saveBusyBlock } from '../../../commands/clinic/save-busy-block.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { BusyBlockEntity } from '../../../db/entities/busy-block.entity.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { readPartOfDay, readTimes, type DayPart } from '../../../dashboard/blocks/read-block.ts';
import { asOperator, book } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../../support/pages/visitor.ts';

/** Hours, special dates and blocked times, as people fill them in. */

const dashboard = await suiteDashboard();
const ana = await dashboard.person('ana');
const miguel = await dashboard.person('miguel');
const rita = await dashboard.person('rita');
const professionalId = dashboard.clinic.professionalIds[0] ?? '';

const em = () => dashboard.database.em();
const professional = () => em().findOneOrFail(ProfessionalEntity, { id: professionalId });
const specialHours = async () =>
  (await em().findOneOrFail(TenantEntity, { id: dashboard.clinic.tenantId })).config['specialHours'];
const blocks = () => em().find(BusyBlockEntity, {}, { orderBy: { startsAt: 'asc' } });

/** Opens a page now, and sends one of its forms whenever one likes. */
async function opened(visitor: Visitor, address: string, action = address) {
  const { text } = await visitor.get(address);
  return (fields: Record<string, string> = {}) =>
    visitor.post(action.split('#')[0] ?? action, formOf(text, action, fields));
}

async function sent(visitor: Visitor, address: string, action: string, fields: Record<string, string>) {
  const send = await opened(visitor, address, action);
  return send(fields);
}

const DATES = ['/settings/hours', '/settings/hours#dates'] as const;
const CHRISTMAS_EVE = { 'new-0-date': '2027-12-24', 'new-0-0-from': '09:00', 'new-0-0-to': '12:00' };

test('the clinic closes for a holiday, opens for a morning, and keeps its usual hours again', async () => {
  await sent(ana, ...DATES, { ...CHRISTMAS_EVE, 'new-1-date': '2027-12-25' });
  expect(await specialHours()).toEqual({ '2027-12-24': [['09:00', '12:00']], '2027-12-25': [] });
  await sent(ana, ...DATES, { '2027-12-25-0-from': '10:00', '2027-12-25-0-to': '11:00' });
  await sent(ana, ...DATES, { '2027-12-24-none': 'yes' });
  expect(await specialHours()).toEqual({ '2027-12-25': [['10:00', '11:00']] });
  await sent(ana, ...DATES, { '2027-12-25-none': 'yes' });
  expect(await specialHours()).toBeUndefined();
});

test('special dates that two people add beside each other all stay', async () => {
  const older = await opened(miguel, ...DATES);
  await sent(ana, ...DATES, { 'new-0-date': '2028-01-01' });
  const page = await older(CHRISTMAS_EVE);
  expect(page.text).toContain('Saved.');
  expect(await specialHours()).toEqual({ '2027-12-24': [['09:00', '12:00']], '2028-01-01': [] });
});

test('a date that two people change is decided by the second, who sees the first one’s change', async () => {
  const older = await opened(miguel, ...DATES);
  await sent(ana, ...DATES, { '2027-12-24-0-to': '13:00' });
  const refused = await older({ '2027-12-24-0-to': '14:00' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Someone else changed this to “09:00-13:00” while you were editing.');
  await miguel.post('/settings', formOf(refused.text, '/settings/hours#dates'));
  expect(await specialHours()).toMatchObject({ '2027-12-24': [['09:00', '14:00']] });
});

test.each([
  ['ends before it begins', { 'new-0-date': '2028-02-01', 'new-0-0-from': '12:00', 'new-0-0-to': '09:00' }],
  ['has an end missing', { 'new-0-date': '2028-02-01', 'new-0-0-from': '12:00' }],
  [
    'overlaps the next',
    {
      'new-0-date': '2028-02-01',
      'new-0-0-from': '09:00',
      'new-0-0-to': '12:00',
      'new-0-1-from': '11:00',
      'new-0-1-to': '13:00',
    },
  ],
])('an opening that %s is shown again with what is wrong, and nothing is saved', async (_, fields) => {
  const before = await specialHours();
  const page = await sent(ana, ...DATES, fields);
  expect(page.status).toBe(422);
  expect(page.text).toContain('each period needs a start and a later end');
  expect(page.text).toMatch(/Tuesday,? 1 February 2028/);
  expect(await specialHours()).toEqual(before);
});

test.each(['', '2028-02-30', 'Christmas'])('times for the date “%s” are not lost', async (date) => {
  const fields = { 'new-0-date': date, 'new-0-0-from': '09:00', 'new-0-0-to': '12:00' };
  const page = await sent(ana, ...DATES, fields);
  expect(page.status).toBe(422);
  expect(page.text).toContain(WEEK_WORDS.en.dates.noDate);
  expect(formOf(page.text, '/settings/hours#dates')).toMatchObject(fields);
});

test('more than 400 special dates are too many, and stay in the form', async () => {
  const dates = Array.from({ length: 400 }, (_, nr) => new Date(Date.UTC(2030, 0, 1 + nr)).toISOString());
  const stored = Object.fromEntries(dates.map((date) => [date.slice(0, 10), []]));
  await em().nativeUpdate(ProfessionalEntity, { id: professionalId }, { specialHours: stored });
  const hours = `/settings/professionals/${professionalId}/hours`;
  const page = await sent(ana, hours, `${hours}#dates`, CHRISTMAS_EVE);
  expect(page.status).toBe(422);
  expect(page.text).toContain('at most 400 special dates');
  expect(formOf(page.text, `${hours}#dates`)).toMatchObject({ '2027-12-24-0-to': '12:00' });
  await em().nativeUpdate(ProfessionalEntity, { id: professionalId }, { specialHours: null });
});

test('a professional has hours of their own, whose days belong to those who change them', async () => {
  const hours = `/settings/professionals/${professionalId}/hours`;
  const older = await opened(miguel, hours, `${hours}#week`);
  await sent(ana, hours, `${hours}#week`, { 'mon-0-from': '14:00', 'mon-0-to': '18:00' });
  const page = await older({
    'tue-0-from': '14:00',
    'tue-0-to': '00:00',
    'tue-1-from': '09:00',
    'tue-1-to': '13:00',
  });
  expect(page.text).toMatch(/those changes were kept: .*Monday/);
  const tuesday = [
    ['09:00', '13:00'],
    ['14:00', '24:00'],
  ];
  expect((await professional()).workingHours).toEqual({ mon: [['14:00', '18:00']], tue: tuesday });
  await sent(ana, hours, `${hours}#dates`, CHRISTMAS_EVE);
  expect((await professional()).specialHours).toEqual({ '2027-12-24': [['09:00', '12:00']] });
  await sent(ana, hours, `${hours}#week`, { always: 'yes' });
  expect((await professional()).workingHours).toBeNull();
  const overlap = { 'mon-0-from': '09:00', 'mon-0-to': '13:00', 'mon-1-from': '12:00', 'mon-1-to': '14:00' };
  const refused = await sent(ana, hours, `${hours}#week`, overlap);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('periods can’t overlap');
  expect((await em().find(AuditEventEntity, { action: 'professional.updated' })).length).toBe(4);
});

test('reception blocks an afternoon and is led to what lies in it', async () => {
  const startsAt = new Date('2027-06-07T13:00:00Z');
  const { id } = await book(dashboard.database, dashboard.clinic, { startsAt, patientName: 'Rui Dias' });
  const form = `/blocks/new?day=2027-06-07&professional=${professionalId}`;
  const page = await sent(rita, form, '/blocks/new', { part: 'afternoon' });
  expect(page.url.pathname).toMatch(/^\/blocks\/[0-9a-f-]{36}$/);
  expect(page.text).toContain(`href="/appointments/${id}">Rui Dias</a>`);
  const [block] = await blocks();
  expect(block).toMatchObject({
    professionalId,
    startsAt: new Date('2027-06-07T11:00:00Z'),
    endsAt: new Date('2027-06-07T23:00:00Z'),
    title: null,
  });
  expect((await rita.get('/appointments?day=2027-06-07')).text).toContain(`href="/blocks/${block?.id}"`);
  expect((await rita.get('/blocks?day=2027-06-07')).text).toContain(`href="/blocks/${block?.id}"`);
  expect((await rita.get('/blocks?day=2027-06-07&professional=clinic')).text).toContain('No blocked times');
  expect((await em().find(AuditEventEntity, { action: 'busy_block.created' })).length).toBe(1);
});

test('a form that is sent twice blocks once, and one that is filled in again blocks more', async () => {
  const before = (await blocks()).length;
  const send = await opened(rita, `/blocks/new?professional=clinic`, '/blocks/new');
  const fields = { part: 'times', from: '2027-08-10T00:00', to: '2027-08-24T00:00', title: 'Holidays' };
  const [one, other] = [await send(fields), await send(fields)];
  expect(one.url.pathname).toBe(other.url.pathname);
  expect(one.text).toContain(BLOCK_WORDS.en.clinic);
  expect(one.text).toContain('Holidays');
  await send({ ...fields, to: '2027-08-25T00:00' });
  expect((await blocks()).length).toBe(before + 2);
});

test.each([
  ['whose it is', { part: 'day', day: '2027-03-01' }, 'Choose who is unavailable.'],
  ['in a day', { part: 'day', day: '2027-02-30', whose: 'clinic' }, 'Choose a day.'],
  ['a beginning', { part: 'times', whose: 'clinic', from: '', to: '2027-03-01T10:00' }, 'Enter a date'],
  [
    'an end after it',
    { part: 'times', whose: 'clinic', from: '2027-03-01T10:00', to: '2027-03-01T10:00' },
    'Enter a date and time after the start',
  ],
  [
    'an end within 366 days',
    { part: 'times', whose: 'clinic', from: '2027-03-01T10:00', to: '2037-03-01T10:00' },
    'at most 366 days later',
  ],
])('a block without %s is not made, and the form says so', async (_, fields, words) => {
  const before = (await blocks()).length;
  await rita.get('/blocks/new');
  const page = await rita.submit('/blocks/new', { title: '', ...fields });
  expect(page.status).toBe(422);
  expect(page.text).toContain(words);
  expect((await blocks()).length).toBe(before);
});

test('the button for other times keeps who and which day, and blocks nothing', async () => {
  const before = (await blocks()).length;
  await rita.get(`/blocks/new?day=2027-06-08&professional=${professionalId}`);
  const page = await rita.submit('/blocks/new', { part: 'other' });
  expect(formOf(page.text, '/blocks/new')).toMatchObject({ whose: professionalId, from: '2027-06-08T09:00' });
  expect((await blocks()).length).toBe(before);
});

test('a block that another system has changed since is not taken away unseen, and a second press finds it gone', async () => {
  const wanted = {
    tenantId: dashboard.clinic.tenantId,
    externalId: 'lunch',
    professionalId,
    startsAt: new Date('2027-05-03T12:00:00Z'),
    endsAt: new Date('2027-05-03T13:00:00Z'),
    title: 'Lunch',
  };
  const save = (title: string) =>
    dashboard.database.write((manager) => saveBusyBlock(manager, { ...wanted, title }, asOperator()));
  const { block } = await save('Lunch');
  const [address, action] = [`/blocks/${block.id}`, `/blocks/${block.id}/remove`];
  const older = await opened(rita, address, action);
  await save('Training');
  const refused = await older();
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Training');
  const again = formOf(refused.text, action);
  expect((await rita.post(action, again)).text).toContain(BLOCK_WORDS.en.removed);
  expect((await rita.post(action, again)).text).toContain(BLOCK_WORDS.en.removed);
  expect(await em().count(BusyBlockEntity, { externalId: 'lunch' })).toBe(0);
});

const LISBON = 'Europe/Lisbon';
const SYDNEY = 'Australia/Sydney';
const CHICAGO = 'America/Chicago';

test.each<[string, string, DayPart, number]>([
  [LISBON, '2027-03-28', 'morning', 11],
  [LISBON, '2027-10-31', 'day', 25],
  [LISBON, '2027-10-31', 'afternoon', 12],
  [SYDNEY, '2027-10-03', 'day', 23],
  [SYDNEY, '2027-04-04', 'morning', 13],
  [CHICAGO, '2027-03-14', 'day', 23],
  [CHICAGO, '2027-11-07', 'morning', 13],
])(
  'when the clocks change in %s on %s, the %s is as long as the clocks make it',
  (zone, day, part, hours) => {
    const { fields } = readPartOfDay(new URLSearchParams({ whose: 'clinic', day }), part, zone);
    expect(((fields?.until.getTime() ?? 0) - (fields?.from.getTime() ?? 0)) / 3_600_000).toBe(hours);
  },
);

test.each([
  [LISBON, '2027-10-31T01:30', '2027-10-31T01:45', 75],
  [SYDNEY, '2027-04-04T02:30', '2027-04-04T02:30', 60],
  [CHICAGO, '2027-03-14T02:15', '2027-03-14T03:30', 15],
])('in %s, from %s until %s blocks every such time', (zone, from, to, minutes) => {
  const { fields } = readTimes(new URLSearchParams({ whose: 'clinic', from, to, title: '' }), zone);
  expect(((fields?.until.getTime() ?? 0) - (fields?.from.getTime() ?? 0)) / 60_000).toBe(minutes);
});
