import { expect, test } from '@jest/globals';
import { KEPT_FORM_WORDS } from '../../../dashboard/kept-forms/words.ts';
import { SIGN_IN_WORDS } from '../../../dashboard/sign-in/words.ts';
import { uuidv7 } from 'uuidv7';
import { createPortalLink } from '../../../commands/people/portal-links.ts';
import { signIn } from '../../../commands/people/sign-in.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { KeptFormEntity } from '../../../db/entities/people/kept-form.entity.ts';
import { PersonEntity } from '../../../db/entities/people/person.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { purgeEndedSessions } from '../../../db/people/purge-people.ts';
import { KEPT_FORM_MS, SESSION_IDLE_MS, SESSION_LENGTH_MS } from '../../../domain/people/session.ts';
import { aClinic } from '../../support/clinic.ts';
import { TEST_CIPHER } from '../../support/servers/api-server.ts';
import { until } from '../../support/until.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';

/** What the dashboard takes for now. */
let ahead = 0;
const dashboard = await suiteDashboard({ now: () => new Date(Date.now() + ahead) });
const { database, clinic } = dashboard;

test('a person without a session is led to the identity provider and back to the page that was asked for', async () => {
  const visitor = dashboard.stranger();
  const asked = await visitor.get('/?day=2026-03-05');
  expect(asked.text).toContain('Who are you?');
  const page = await visitor.get(`${asked.url.pathname}?person=ana`);
  expect(`${page.url.pathname}${page.url.search}`).toBe('/?day=2026-03-05');
});

test('a person is greeted by name, in a clinic, and the audit knows of it', async () => {
  const ana = await dashboard.person('ana');
  const page = await ana.get('/');
  expect(page.status).toBe(200);
  expect(page.text).toContain('Ana Martins');
  const [entry] = await dashboard.database
    .em()
    .find(AuditEventEntity, { action: 'person.signed_in' }, { orderBy: { id: 'desc' }, limit: 1 });
  expect(entry).toMatchObject({ tenantId: dashboard.clinic.tenantId, details: { role: 'owner' } });
});

test('a session that was there before the sign-in is never taken over', async () => {
  const visitor = dashboard.stranger();
  const planted = { cookie: 'session=planted-by-somebody' };
  const { url } = await visitor.get('/sign-in', planted);
  await visitor.get(`${url.pathname}?person=ana`);
  expect(visitor.cookies().get('session')).toMatch(/^[\w-]{43}$/);
});

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '/\\elsewhere.example',
  'javascript:alert(1)',
  '/.//elsewhere.example/',
])('no one is sent to %s after the sign-in', async (to) => {
  const visitor = dashboard.stranger();
  const { url } = await visitor.get(`/sign-in?${new URLSearchParams({ to }).toString()}`);
  const page = await visitor.get(`${url.pathname}?person=ana`);
  expect(page.url.href).toMatch(`${dashboard.url}/`);
  expect(page.url.pathname).toBe('/');
});

test.each(['/.//elsewhere.example/', '/a/..//elsewhere.example/', '/%2e//elsewhere.example/'])(
  'a form that leads back to %s stays here, though a browser finds another site behind the dots',
  async (to) => {
    const ana = await dashboard.person('ana');
    await ana.get('/settings');
    const page = await ana.submit('/language', { language: 'en', to });
    expect([page.url.origin, page.url.pathname]).toEqual([dashboard.url, '/']);
  },
);

test('an answer to someone else’s sign-in is refused', async () => {
  const visitor = dashboard.stranger();
  await visitor.get('/sign-in');
  const page = await visitor.get(`${dashboard.url}/signed-in?code=guessed&state=of-somebody-else`);
  expect(page.status).toBe(400);
  expect(page.text).toContain(SIGN_IN_WORDS.en.refused.failed.title);
  expect(visitor.cookies().has('session')).toBe(false);
});

test('a session ends when no one has used it for half an hour, and a page that refreshes itself is not use', async () => {
  const ana = await dashboard.person('ana');
  const almost = SESSION_IDLE_MS - 60_000;
  ahead = almost;
  const refreshed = await ana.get('/', { 'hx-request': 'true' });
  expect(refreshed.status).toBe(200);
  ahead = 2 * almost;
  const late = await ana.get('/', { 'hx-request': 'true' });
  expect(late.text).toContain(KEPT_FORM_WORDS.en.ended);
  expect(late.text).not.toContain('Ana Martins');
  expect((await ana.get('/')).text).toContain('Who are you?');
  ahead = 0;
});

test('what was typed into a form whose session has ended is kept encrypted, twenty forms at most, for an hour', async () => {
  const rita = await dashboard.person('rita');
  const { text } = await rita.get('/appointments/new');
  ahead = SESSION_IDLE_MS + 60_000;
  const typed = formOf(text, '/appointments/new', { patientName: 'Zacarias', patientPhone: '+351912345678' });
  for (let time = 0; time < 21; time += 1) {
    const page = await rita.post('/appointments/new', typed);
    expect(page.status).toBe(401);
    expect(page.text).toContain('What you entered is kept for an hour');
  }
  const kept = await database.em().find(KeptFormEntity, {});
  expect(kept).toHaveLength(20);
  expect(JSON.stringify(kept)).not.toMatch(/Zacarias|912345678|patientName/);
  const foreign = await rita.post('/appointments/new', { ...typed, form_token: 'guessed' });
  expect(foreign.text).toContain('Go back to copy what you typed');
  await purgeEndedSessions(database.em(), new Date(Date.now() + ahead + KEPT_FORM_MS));
  expect(await database.em().count(KeptFormEntity)).toBe(0);
  ahead = 0;
});

test('and after twelve hours in any case', async () => {
  const ana = await dashboard.person('ana');
  for (ahead = 0; ahead < SESSION_LENGTH_MS; ahead += SESSION_IDLE_MS / 2)
    expect((await ana.get('/')).text).toContain('Ana Martins');
  expect((await ana.get('/')).text).toContain('Who are you?');
  ahead = 0;
});

test('signing out ends one session, signing out everywhere all of them', async () => {
  const [here, there, phone] = [
    await dashboard.person('rita'),
    await dashboard.person('rita'),
    await dashboard.person('rita'),
  ];
  await here.get('/');
  expect((await here.submit('/sign-out')).text).toContain(SIGN_IN_WORDS.en.leaving.title);
  expect((await here.get('/')).text).toContain('Who are you?');
  expect((await there.get('/')).text).toContain('Rita Lopes');
  await there.submit('/sign-out-everywhere');
  expect((await phone.get('/')).text).toContain('Who are you?');
});

/** Rita, as the identity provider names her now. */
async function ritaAs(claims: { role: string | null; organisation?: string; name?: string }) {
  const { issuer, subject } = await database.em().findOneOrFail(PersonEntity, { name: 'Rita Lopes' });
  const { identityOrgId } = await database.em().findOneOrFail(TenantEntity, { id: clinic.tenantId });
  const identity = {
    issuer,
    subject,
    name: 'Rita Lopes',
    organisation: identityOrgId,
    isOfSupport: false,
    ...claims,
  };
  const context = { requestId: null, now: new Date() };
  const visit = { browser: null, system: null, address: '192.0.2.7' };
  const grant = { kind: 'none' } as const;
  return database.write((em) => signIn(em, TEST_CIPHER, { identity, grant, visit }, context));
}

test('a NUL that the identity provider has in a name or a clinic keeps no one out, nor lets anyone in', async () => {
  expect(await ritaAs({ role: 'reception', name: 'Rita\0Lopes' })).toMatchObject({ refused: null });
  const nowhere = await ritaAs({ role: 'reception', organisation: 'no\0where' });
  expect(nowhere).toMatchObject({ refused: 'unknown_clinic' });
  expect((await (await dashboard.person('rita')).get('/')).text).toContain('Rita Lopes');
});

test.each([
  ['another role', { role: 'manager' }, null],
  ['another clinic', { role: 'reception', organisation: 'another' }, null],
  ['the role of our support, which her clinic gave her', { role: 'support' }, 'not_support'],
  ['no role any more', { role: null }, 'unknown_role'],
  ['a clinic that is not here', { role: 'reception', organisation: 'nowhere' }, 'unknown_clinic'],
])('a person who signs in again with %s loses what they had on every device', async (_, claims, refused) => {
  const other = await aClinic(dashboard.database);
  const named = { identityOrgId: 'another' };
  await dashboard.database.em().nativeUpdate(TenantEntity, named, { identityOrgId: uuidv7() });
  await dashboard.database.em().nativeUpdate(TenantEntity, { id: other.tenantId }, named);
  const [rita, ana] = [await dashboard.person('rita'), await dashboard.person('ana')];
  const again = await dashboard.person('rita');
  expect(await ritaAs({ role: 'reception' })).toMatchObject({ refused: null });
  for (const visitor of [rita, again]) expect((await visitor.get('/')).text).toContain('Rita Lopes');
  expect(await ritaAs(claims)).toMatchObject({ refused });
  for (const visitor of [rita, again]) expect((await visitor.get('/')).text).toContain('Who are you?');
  expect((await ana.get('/')).text).toContain('Ana Martins');
});

test('a form of another site, or without the token of the session, changes nothing', async () => {
  const ana = await dashboard.person('ana');
  await ana.get('/');
  const foreign = await ana.post('/sign-out', {}, { origin: 'https://elsewhere.example' });
  expect(foreign.status).toBe(403);
  expect((await ana.post('/sign-out', {})).status).toBe(403);
  expect((await ana.post('/sign-out', { form_token: 'guessed' })).status).toBe(403);
  expect((await ana.get('/')).text).toContain('Ana Martins');
});

test('a portal link opens the webhook pages of its clinic once, and only when the button is pressed', async () => {
  const context = { actor: 'operator', requestId: null, now: new Date() };
  const input = { tenantId: clinic.tenantId, dashboardUrl: dashboard.url };
  const { url } = await database.write((em) => createPortalLink(em, input, context));
  const address = new URL(url).pathname;
  await dashboard.stranger().get(address);
  const partner = dashboard.stranger();
  await partner.get(address);
  expect((await partner.submit(address)).url.pathname).toBe('/integrations/endpoints');
  expect((await partner.get('/integrations/keys')).status).toBe(403);
  const late = dashboard.stranger();
  await late.get(address);
  expect((await late.submit(address)).status).toBe(410);
});

test('requests are counted by route and status, never by an address that someone made up', async () => {
  const ana = await dashboard.person('ana');
  await ana.get('/appointments/0195571c-5a60-7a3e-9f00-2f5d1c9b7a20');
  await ana.get('/made-up/912345678');
  const told = () => dashboard.metrics.expose();
  for (const labels of [
    'method="GET",route="/appointments/:id",status="404"',
    'method="GET",route="unmatched",status="404"',
    'method="GET",route="/sign-in",status="303"',
  ])
    // The connection is done with an answer a moment after the visitor is.
    await until(labels, async () =>
      (await told()).includes(`http_request_duration_seconds_count{${labels}}`),
    );
  const text = await told();
  expect(text).not.toMatch(/0195571c|912345678/);
  for (const part of [
    'database_up 1',
    'database_pool_in_use{pool="default"} ',
    'nodejs_eventloop_lag_p99_seconds ',
  ])
    expect(text).toContain(part);
});

test('nothing of a sign-in is in the log', () => {
  const log = dashboard.log.join('\n');
  expect(log).toContain('page.completed');
  expect(log).not.toMatch(/code=|state=|Ana|Rita|Zacarias/);
});
