import { afterEach, expect, test } from '@jest/globals';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { PersonEntity } from '../../../db/entities/people/person.entity.ts';
import { SessionEntity } from '../../../db/entities/people/session.entity.ts';
import { purgeEndedSessions } from '../../../db/people/purge-people.ts';
import {
  CONFIRM_EVERY_MS,
  SESSION_IDLE_MS,
  SESSION_LENGTH_MS,
  UNCONFIRMED_MOST_MS,
} from '../../../domain/people/session.ts';
import { adminWith, answerOf, itemsOf } from '../../admin/admin-runs.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../../support/pages/visitor.ts';

const MINUTE_MS = 60_000;
const OUTSIDE = 'Who are you?';

/** What the dashboard takes for now. */
let ahead = 0;

const dashboard = await suiteDashboard({ now: () => new Date(Date.now() + ahead), trustedHops: 1 });
const admin = adminWith({ DATABASE_URL: dashboard.databaseUrl, SERVICE_MODE: 'test', ADMIN_ACTOR: 'zoe' });
afterEach(() => {
  ahead = 0;
  dashboard.identity.setAway(false);
  for (const [name, role] of [['ana', 'owner'] as const, ['rita', 'reception'] as const])
    dashboard.identity.setRole(name, role);
});

async function idOf(name: string): Promise<string> {
  return (await dashboard.database.em().findOneOrFail(PersonEntity, { name })).id;
}

async function lastDone(action: 'session.ended' | 'person.blocked') {
  const [event] = await dashboard.database
    .em()
    .find(AuditEventEntity, { action }, { orderBy: { id: 'desc' }, limit: 1 });
  return event;
}

/** Anyone who looks at the first page within the clinic sees it; anyone who is not signed in is asked who they are. */
async function seesClinic(visitor: Visitor): Promise<boolean> {
  return !(await visitor.get(`${dashboard.url}/`)).text.includes(OUTSIDE);
}

/** Without letting a session lie unused for half an hour. */
async function passInUse(visitor: Visitor, ms: number): Promise<void> {
  for (const end = ahead + ms; ahead < end;) {
    ahead = Math.min(end, ahead + SESSION_IDLE_MS / 2);
    await visitor.get('/');
  }
}

test('a person who is blocked is out at their next click, on every device, and stays out until they are let in again', async () => {
  const [here, there] = [await dashboard.person('rita'), await dashboard.person('rita')];
  const ana = await dashboard.person('ana');
  const typed = formOf((await here.get('/appointments/new')).text, '/appointments/new');
  const rita = await idOf('Rita Lopes');
  const blocked = await answerOf(admin('person', 'block', '--person', rita));
  expect(blocked).toMatchObject({ id: rita, blockedAt: expect.any(String), ended: 2 });
  expect((await here.post('/appointments/new', typed)).status).toBe(401);
  for (const visitor of [here, there]) expect(await seesClinic(visitor)).toBe(false);
  const again = dashboard.stranger();
  const { url } = await again.get('/sign-in');
  const refused = await again.get(`${url.pathname}?person=rita`);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Your access is blocked')]);
  expect(await seesClinic(ana)).toBe(true);
  expect(await lastDone('person.blocked')).toMatchObject({ actor: 'operator:zoe', subjectId: rita });
  await answerOf(admin('person', 'unblock', '--person', rita));
  expect(await seesClinic(await dashboard.person('rita'))).toBe(true);
});

test('a session that was opened while its person was being blocked lets no one in', async () => {
  const rita = await dashboard.person('rita');
  const em = dashboard.database.em();
  await em.nativeUpdate(PersonEntity, { name: 'Rita Lopes' }, { blockedAt: new Date() });
  expect(await seesClinic(rita)).toBe(false);
  await em.nativeUpdate(PersonEntity, { name: 'Rita Lopes' }, { blockedAt: null });
});

test('an operator sees where a person is signed in, and ends it', async () => {
  const rita = await dashboard.person('rita');
  const id = await idOf('Rita Lopes');
  const people = await itemsOf(admin('person', 'list', '--tenant', dashboard.clinic.tenantId));
  const found = people.find((person) => person['id'] === id);
  expect(found).toMatchObject({ name: 'Rita Lopes', role: 'reception', blockedAt: null });
  const before = Object.values(found?.['sessions'] ?? {}).length;
  expect(before).toBeGreaterThan(0);
  expect(await itemsOf(admin('person', 'list', '--support'))).toEqual([]);
  expect(await answerOf(admin('person', 'end-sessions', '--person', id))).toMatchObject({ ended: before });
  expect(await seesClinic(rita)).toBe(false);
  expect(await seesClinic(await dashboard.person('rita'))).toBe(true);
});

test.each([
  ['taken away', null, 'role_changed'],
  ['changed', 'manager', 'role_changed'],
  ['gone with the account', undefined, 'refused'],
] as const)(
  'a role that is %s at the provider ends within five minutes, on every device',
  async (_, role, reason) => {
    const [here, there] = [await dashboard.person('rita'), await dashboard.person('rita')];
    const ana = await dashboard.person('ana');
    dashboard.identity.setRole('rita', role);
    ahead = CONFIRM_EVERY_MS / 2;
    expect(await seesClinic(here)).toBe(true);
    ahead = 5 * MINUTE_MS - 1000;
    for (const visitor of [here, there, here]) expect(await seesClinic(visitor)).toBe(false);
    expect(await seesClinic(ana)).toBe(true);
    expect(await lastDone('session.ended')).toMatchObject({
      actor: 'identity_provider',
      details: { reason },
    });
  },
);

test('a person who keeps their role works all day, and is checked every four minutes', async () => {
  const ana = await dashboard.person('ana');
  const before = dashboard.identity.tokensAsked();
  for (let minute = 1; minute <= 12; minute += 1) {
    ahead = minute * MINUTE_MS;
    expect(await seesClinic(ana)).toBe(true);
  }
  expect(dashboard.identity.tokensAsked() - before).toBe(3);
  await passInUse(ana, 6 * 60 * MINUTE_MS);
  expect(await seesClinic(ana)).toBe(true);
});

test('of many requests at once one asks the provider, and the others wait for its answer', async () => {
  const ana = await dashboard.person('ana');
  ahead = CONFIRM_EVERY_MS;
  const before = dashboard.identity.tokensAsked();
  const seen = await Promise.all(Array.from({ length: 8 }, () => ana.get('/appointments')));
  expect(seen.map(({ text }) => text.includes('Ana Martins'))).toEqual(Array(8).fill(true));
  expect(dashboard.identity.tokensAsked() - before).toBe(1);
  dashboard.identity.setRole('ana', null);
  ahead = 2 * CONFIRM_EVERY_MS;
  const late = await Promise.all(Array.from({ length: 8 }, () => ana.get('/appointments')));
  expect(late.map(({ text }) => text.includes(OUTSIDE))).toEqual(Array(8).fill(true));
});

test('a provider that is away throws no one out for an hour, and then everyone; what was typed is kept', async () => {
  const ana = await dashboard.person('ana');
  dashboard.identity.setAway(true);
  await passInUse(ana, UNCONFIRMED_MOST_MS - MINUTE_MS);
  const { text } = await ana.get('/appointments/new');
  expect(text).toContain('Ana Martins');
  ahead = UNCONFIRMED_MOST_MS + MINUTE_MS;
  const typed = formOf(text, '/appointments/new', { patientName: 'Zacarias' });
  expect((await ana.post('/appointments/new', typed)).text).toContain('What you entered is kept for an hour');
  expect(await lastDone('session.ended')).toMatchObject({ details: { reason: 'unconfirmed' } });
});

test('a provider that is back within the hour confirms people whose role is unchanged', async () => {
  const [ana, rita] = [await dashboard.person('ana'), await dashboard.person('rita')];
  dashboard.identity.setAway(true);
  ahead = SESSION_IDLE_MS - MINUTE_MS;
  for (const visitor of [ana, rita]) expect(await seesClinic(visitor)).toBe(true);
  dashboard.identity.setRole('rita', null);
  dashboard.identity.setAway(false);
  ahead += MINUTE_MS;
  expect([await seesClinic(ana), await seesClinic(rita)]).toEqual([true, false]);
  await passInUse(ana, UNCONFIRMED_MOST_MS);
  expect(await seesClinic(ana)).toBe(true);
});

test('what the provider is asked with is stored encrypted, and goes with the session', async () => {
  await dashboard.person('ana');
  const em = dashboard.database.em();
  const rows = await em.find(SessionEntity, { grantSealed: { $ne: null } });
  expect(rows.length).toBeGreaterThan(0);
  for (const { grantSealed } of rows) expect(grantSealed).toMatch(/^v2\.[0-9a-f]{8}\./);
  await purgeEndedSessions(em, new Date(Date.now() + 2 * SESSION_LENGTH_MS));
  expect(await dashboard.database.em().count(SessionEntity, { grantSealed: { $ne: null } })).toBe(0);
});
