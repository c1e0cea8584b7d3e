import { request } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { SIGN_IN_WORDS } from '../../../dashboard/sign-in/words.ts';
import { openIdentityProvider } from '../../../adapters/identity/identity-provider.ts';
import { createPortalLink } from '../../../commands/people/portal-links.ts';
import { returnAddresses } from '../../../dashboard/sign-in/return-addresses.ts';
import { SESSION_IDLE_MS } from '../../../domain/people/session.ts';
import { asOperator } from '../../support/clinic.ts';
import { startTestDashboard, suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../../support/pages/visitor.ts';

/** What the dashboard takes for now. */
let ahead = 0;
const dashboard = await suiteDashboard({ now: () => new Date(Date.now() + ahead) });
afterEach(() => {
  ahead = 0;
  dashboard.identity.setAway(false);
  dashboard.identity.setHabits();
});

/** What the browser does by itself at the provider, back to the dashboard. */
async function followed(visitor: Visitor, headers: Headers) {
  const address = new URL((headers.get('refresh') ?? '').replace('0; url=', ''));
  const { text } = await visitor.get(address.href);
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? '';
  const page = await visitor.post(action, formOf(text, action, { logout: 'yes' }));
  return { address, page };
}

test.each(['/sign-out', '/sign-out-everywhere'])(
  'after %s the next person at this browser is asked who they are, though the provider remembers people',
  async (form) => {
    const rita = await dashboard.person('rita');
    dashboard.identity.setHabits({ remembersPeople: true });
    // Until then one does not have to say it again.
    expect((await rita.get('/sign-in')).text).toContain('Rita Lopes');
    const leaving = await rita.submit(form);
    const { address, page } = await followed(rita, leaving.headers);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'dashboard',
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      post_logout_redirect_uri: `${dashboard.url}/signed-out`,
    });
    expect(page.url.href).toBe(`${dashboard.url}/signed-out`);
    expect(page.text).toContain(SIGN_IN_WORDS.en.signedOut.title);
    expect((await rita.get('/sign-in')).text).toContain('Who are you?');
  },
);

test('so they are when the session had ended before', async () => {
  const rita = await dashboard.person('rita');
  dashboard.identity.setHabits({ remembersPeople: true });
  ahead = SESSION_IDLE_MS + 60_000;
  const leaving = await rita.submit('/sign-out');
  expect((await followed(rita, leaving.headers)).page.text).toContain(SIGN_IN_WORDS.en.signedOut.title);
  expect((await rita.get('/sign-in')).text).toContain('Who are you?');
});

test('no other site ends the session at the provider, when none is here', async () => {
  const stranger = dashboard.stranger();
  const foreign = await stranger.post('/sign-out', {}, { origin: 'https://elsewhere.example' });
  expect([foreign.status, foreign.headers.has('refresh')]).toEqual([403, false]);
});

test('a portal link is signed out here alone', async () => {
  const { clinic, database, url } = dashboard;
  const input = { tenantId: clinic.tenantId, dashboardUrl: url };
  const link = await database.write((em) => createPortalLink(em, input, asOperator()));
  const partner = dashboard.stranger();
  await partner.get(new URL(link.url).pathname);
  await partner.submit(new URL(link.url).pathname);
  const left = await partner.submit('/sign-out');
  expect([left.headers.has('refresh'), left.text]).toEqual([false, expect.stringContaining('signed out')]);
});

test('when the provider cannot be reached, the page says what to do on a shared computer', async () => {
  const provider = openIdentityProvider({
    issuer: new URL('http://127.0.0.1:1'),
    clientId: 'dashboard',
    clientSecret: 'only-for-tests',
    ...returnAddresses('http://127.0.0.1:2'),
    organisationClaim: 'org_id',
    roleClaim: 'role',
    supportOrganisation: null,
  });
  const alone = await startTestDashboard({ provider });
  const here = await alone.stranger().post('/sign-out', {});
  expect(here.headers.has('refresh')).toBe(false);
  expect(here.text).toContain('You may still be signed in to the sign-in service.');
  await alone[Symbol.asyncDispose]();
});

test('without a refresh token a role holds until the session ends, and a session ends as any other', async () => {
  dashboard.identity.setHabits({ givesRefreshTokens: false });
  const rita = await dashboard.person('rita');
  dashboard.identity.setRole('rita', 'manager');
  dashboard.identity.setAway(true);
  for (let passed = 0; passed < 11 * 60; passed += 20) {
    ahead = passed * 60_000;
    expect((await rita.get('/')).text).toContain('Rita Lopes');
  }
  dashboard.identity.setAway(false);
  dashboard.identity.setRole('rita', 'reception');
  ahead += SESSION_IDLE_MS + 60_000;
  expect((await rita.get('/')).text).toContain('Who are you?');
});

/** What is answered under another name of this machine. */
function askAs(host: string, path: string, method = 'GET', cookie = '') {
  return new Promise<{ status: number; to: string | undefined; cookie: string }>((resolve, reject) => {
    const headers = { host, cookie };
    request(`${dashboard.url}${path}`, { method, headers }, (response) => {
      response.resume();
      const [kept = ''] = response.headers['set-cookie'] ?? [];
      const { statusCode: status = 0 } = response;
      resolve({ status, to: response.headers.location, cookie: kept.split(';')[0] ?? '' });
    })
      .on('error', reject)
      .end();
  });
}

test.each(['/calls?page=2', '/book/nowhere', '/sign-in?to=/calls', '//elsewhere.example'])(
  '%s under another host name leads to the dashboard’s own, once',
  async (path) => {
    const { host, port } = new URL(dashboard.url);
    for (const method of ['GET', 'HEAD']) {
      const led = await askAs(`localhost:${port}`, path, method);
      const to = path.startsWith('//') ? '/' : path;
      expect(led).toEqual({ status: 303, to: `${dashboard.url}${to}`, cookie: 'led=1' });
      // Behind a proxy that names another host, the browser is here again.
      expect((await askAs('inner.example', path, method, led.cookie)).to).not.toBe(led.to);
    }
    expect((await askAs(host, path)).to).not.toBe(`${dashboard.url}${path}`);
    expect((await askAs('127.0.0.1', path)).to).not.toBe(`${dashboard.url}${path}`);
  },
);

test('an orchestrator asks by any name, and a form under another name is refused', async () => {
  expect((await askAs('10.0.0.7:3001', '/health/ready')).status).toBe(200);
  expect((await askAs('localhost', '/portal/guessed', 'POST')).status).toBe(403);
});

test.each([
  ['null', 'same-origin', 200],
  ['null', 'cross-site', 403],
  ['null', 'same-site', 403],
  ['null', '', 403],
  ['https://elsewhere.example', 'same-origin', 403],
])('a form with the origin %s and Sec-Fetch-Site %s: %i', async (origin, site, status) => {
  const ana = await dashboard.person('ana');
  const { text } = await ana.get('/settings');
  const fields = formOf(text, '/language', { language: 'en', to: '/settings' });
  const headers = { ...(site !== '' && { 'sec-fetch-site': site }) };
  expect((await ana.post('/language', fields, { ...headers, origin })).status).toBe(status);
});

test('a form without an origin is ours when the browser says so', async () => {
  const ana = await dashboard.person('ana');
  const fields = formOf((await ana.get('/settings')).text, '/language', { language: 'en', to: '/settings' });
  const cookie = [...ana.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (headers: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${dashboard.url}/language`, {
      method: 'POST',
      body,
      headers: { cookie, ...headers },
      redirect: 'manual',
    });
    await response.body?.cancel();
    return response.status;
  };
  expect(await send({ 'sec-fetch-site': 'same-origin' })).toBe(303);
  expect(await send({})).toBe(403);
});
