import { afterEach, expect, test } from '@jest/globals';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import type { Visitor } from '../../support/pages/visitor.ts';

/** What the dashboard takes for now. */
let ahead = 0;
const dashboard = await suiteDashboard({
  trustedHops: 1,
  areLimitsDisabled: false,
  now: () => new Date(Date.now() + ahead),
});
afterEach(async () => {
  ahead = 0;
  await dashboard.database.em().execute('DELETE FROM request_window');
});

let addresses = 0;
function aStranger(): Visitor {
  addresses += 1;
  return dashboard.stranger(`203.0.113.${addresses}`);
}

const statesOf = (visitor: Visitor) =>
  [...visitor.cookies().keys()]
    .filter((name) => name.startsWith('sign_in-'))
    .map((name) => name.slice('sign_in-'.length));

const callback = (state: string) => `${dashboard.url}/signed-in?code=made-up&state=${state}`;

/** As if a program had counted so many in this address's last minutes. */
async function fillWindow(subject: string, times: number): Promise<void> {
  await dashboard.database
    .em()
    .execute('INSERT INTO request_window VALUES (?, array_fill(clock_timestamp(), ARRAY[?::integer]))', [
      subject,
      times,
    ]);
}

test('a callback whose state is not ours asks for no token', async () => {
  const asked = dashboard.identity.tokensAsked();
  const state = 'a'.repeat(43);
  const made = { checks: { state, nonce: 'n', codeVerifier: 'v' }, to: '/' };
  const forged = Buffer.from(JSON.stringify(made)).toString('base64url');
  const visitor = aStranger();
  await visitor.get(`${dashboard.url}/sign-in`);
  const [own = ''] = statesOf(visitor);
  const sealed = visitor.cookies().get(`sign_in-${own}`) ?? '';
  const cookies = [
    `sign_in=${forged}`,
    `sign_in-${state}=${forged}`,
    // A sealed one serves its own state alone.
    `sign_in-${state}=${sealed}`,
    `sign_in-${state}=${sealed.slice(0, -4)}AAAA`,
  ];
  for (const cookie of cookies) {
    const response = await fetch(callback(state), { headers: { cookie }, redirect: 'manual' });
    expect(response.status).toBe(400);
    await response.body?.cancel();
  }
  for (const wrong of ['', 'short', '%00', `${own}x`])
    expect((await visitor.get(callback(wrong))).status).toBe(400);
  expect(dashboard.identity.tokensAsked()).toBe(asked);
});

test('a sign-in that began more than ten minutes ago asks for no token', async () => {
  const visitor = aStranger();
  await visitor.get(`${dashboard.url}/sign-in`);
  const [state = ''] = statesOf(visitor);
  const asked = dashboard.identity.tokensAsked();
  ahead = 10 * 60_000;
  expect((await visitor.get(callback(state))).status).toBe(400);
  expect(dashboard.identity.tokensAsked()).toBe(asked);
});

/** A sign-in that a tab has begun: where its browser is sent, and the cookie that it got. */
async function begun(to: string): Promise<{ cookie: string; provider: string }> {
  const response = await fetch(`${dashboard.url}/sign-in?to=${to}`, { redirect: 'manual' });
  await response.body?.cancel();
  const [line = ''] = response.headers.getSetCookie();
  return { cookie: line.split(';')[0] ?? '', provider: response.headers.get('location') ?? '' };
}

test('three tabs that sign in at once all reach the page that each asked for', async () => {
  const pages = ['/calls', '/settings', '/appointments'];
  const tabs = await Promise.all(pages.map((to) => begun(to)));
  const cookie = tabs.map((tab) => tab.cookie).join('; ');
  // At the provider alone: the cookies of the dashboard are not there yet.
  const person = aStranger();
  const reached: (string | null)[] = [];
  for (const { provider } of tabs) {
    let { url } = await person.get(provider);
    if (url.pathname.startsWith('/interaction')) ({ url } = await person.get(`${url.pathname}?person=ana`));
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    await response.body?.cancel();
    reached.push(response.headers.get('location'));
  }
  expect(reached).toEqual(pages);
});

/** Where the provider sends a browser that signs in as Ana, and the cookie that the browser has by then. */
async function cameBack(to: string): Promise<{ address: URL; cookie: string }> {
  const { cookie, provider } = await begun(to);
  const person = aStranger();
  const { url } = await person.get(provider);
  const { url: address } = await person.get(`${url.pathname}?person=ana`);
  return { address, cookie };
}

async function open(address: URL, cookie: string) {
  const response = await fetch(address, { headers: { cookie }, redirect: 'manual' });
  await response.body?.cancel();
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { status: response.status, to: response.headers.get('location'), cookies };
}

test('a callback that is opened twice at once signs in once, and both lead to the page asked for', async () => {
  const { address, cookie } = await cameBack('/calls');
  const asked = dashboard.identity.tokensAsked();
  const [one, other] = await Promise.all([open(address, cookie), open(address, cookie)]);
  expect([one.status, one.to]).toEqual([303, '/calls']);
  expect([other.status, other.to]).toEqual([303, '/calls']);
  expect(dashboard.identity.tokensAsked()).toBe(asked + 1);
});

test('so does one that another process has answered before', async () => {
  const { address, cookie } = await cameBack('/calls');
  const first = await open(address, cookie);
  const late = await open(address, cookie);
  const again = new URL(late.to ?? '', dashboard.url);
  expect(await open(again, first.cookies.join('; '))).toMatchObject({ status: 303, to: '/calls' });
  // Without what the first answer brought it has failed.
  expect(await open(again, cookie)).toMatchObject({ status: 400, to: null });
});

test('a browser keeps no more than eight sign-ins', async () => {
  const visitor = aStranger();
  for (let tab = 0; tab < 12; tab += 1) await visitor.get(`${dashboard.url}/sign-in`);
  expect(statesOf(visitor)).toHaveLength(8);
});

test('a callback that is opened again leads to the page asked for while the session is good, and asks for no token', async () => {
  const visitor = aStranger();
  const { url } = await visitor.get('/sign-in?to=/calls');
  const [state = ''] = statesOf(visitor);
  await visitor.get(`${url.pathname}?person=ana`);
  const asked = dashboard.identity.tokensAsked();
  expect((await visitor.get(callback(state))).url.pathname).toBe('/calls');
  await visitor.get(`${dashboard.url}/`);
  await visitor.submit('/sign-out');
  expect((await visitor.get(callback(state))).status).toBe(400);
  expect(dashboard.identity.tokensAsked()).toBe(asked);
});

test('an address makes 120 sign-ins and callbacks in ten minutes', async () => {
  const visitor = aStranger();
  await fillWindow(`sign-in:203.0.113.${addresses}`, 118);
  expect((await visitor.get(`${dashboard.url}/sign-in`)).status).toBe(200);
  expect((await visitor.get(callback('x'))).status).toBe(400);
  for (const address of ['/sign-in', '/signed-in?state=x']) {
    const refused = await visitor.get(`${dashboard.url}${address}`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await aStranger().get('/sign-in')).status).toBe(200);
});

test('an address asks 300 times with sessions, portal links and forms that are unknown; a good session still passes', async () => {
  const visitor = aStranger();
  const address = `203.0.113.${addresses}`;
  const rita = dashboard.stranger(address);
  const { url } = await rita.get('/sign-in');
  await rita.get(`${url.pathname}?person=rita`);
  await fillWindow(`unknown-session:${address}`, 297);
  const headers = { cookie: 'session=guessed', 'x-forwarded-for': address };
  const doors = [
    () => fetch(`${dashboard.url}/calls`, { headers, redirect: 'manual' }),
    () => visitor.post(`${dashboard.url}/portal/guessed`, {}),
    () => visitor.post(`${dashboard.url}/appointments/new`, { form_token: 'guessed' }),
  ];
  const ask = async () => {
    const statuses: number[] = [];
    for (const knock of doors) statuses.push((await knock()).status);
    return statuses;
  };
  expect(await ask()).toEqual([303, 410, 401]);
  expect(await ask()).toEqual([429, 429, 429]);
  expect((await rita.get(`${dashboard.url}/`)).text).toContain('Rita Lopes');
});
