import { expect, test } from '@jest/globals';
import { SESSION_WORDS } from '../../../dashboard/sessions/words.ts';
import { createPortalLink } from '../../../commands/people/portal-links.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { SessionEntity } from '../../../db/entities/people/session.entity.ts';
import { adminWith, itemsOf } from '../../admin/admin-runs.ts';
import { asOperator } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { signIn, type Visitor } from '../../support/pages/visitor.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

const dashboard = await suiteDashboard({ trustedHops: 1 });

async function ritaFrom(address: string): Promise<Visitor> {
  const visitor = dashboard.stranger(address);
  await signIn(visitor, 'rita');
  return visitor;
}

/** The forms of a page that end a session. */
function endings(text: string): string[] {
  return [...text.matchAll(/action="([^"]*\/end)"/g)].map(([, action = '']) => action);
}

test('a person sees where they are signed in, with browser, address and time, and ends another session', async () => {
  const here = await ritaFrom('192.0.2.1');
  const phone = dashboard.stranger('198.51.100.7');
  const { url } = await phone.get('/sign-in');
  const { url: back } = await phone.get(`${url.pathname}?person=rita`, { 'user-agent': FIREFOX });
  expect(back.pathname).toBe('/');
  const page = await here.get('/sessions');
  expect(page.text).toContain('192.0.2.1');
  expect(page.text).toContain('198.51.100.7');
  expect(page.text).toContain(SESSION_WORDS.en.thisOne);
  const [ending = ''] = endings(page.text);
  expect(endings(page.text)).toHaveLength(1);
  expect((await here.submit(ending)).url.pathname).toBe('/sessions');
  expect((await phone.get('/')).text).toContain('Who are you?');
  expect((await here.get('/')).text).toContain('Rita Lopes');
});

test('the address is that of the last use', async () => {
  const rita = await ritaFrom('192.0.2.20');
  const token = rita.cookies().get('session') ?? '';
  const elsewhere = dashboard.stranger('203.0.113.9');
  await elsewhere.get('/sessions', { cookie: `session=${token}` });
  expect((await rita.get('/sessions')).text).toMatch(/203\.0\.113\.9|192\.0\.2\.20/);
  const rows = await dashboard.database
    .em()
    .find(SessionEntity, {}, { orderBy: { createdAt: 'desc' }, limit: 1 });
  expect(rows[0]?.lastAddress).toBe('192.0.2.20');
});

test('no one ends the session of someone else by their own page', async () => {
  const [rita, ana] = [await ritaFrom('192.0.2.30'), await dashboard.person('ana')];
  const sessions = await dashboard.database
    .em()
    .find(SessionEntity, {}, { orderBy: { createdAt: 'desc' }, limit: 1 });
  const text = (await rita.get('/sessions')).text;
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  await rita.post(`/sessions/${sessions[0]?.id}/end`, { form_token: token });
  expect((await ana.get('/')).text).toContain('Ana Martins');
});

test('owner and manager see everyone of the clinic and partners by a portal link, and end a session', async () => {
  const { database, clinic, url, databaseUrl } = dashboard;
  const admin = adminWith({ DATABASE_URL: databaseUrl, SERVICE_MODE: 'test' });
  const link = await database.write((em) =>
    createPortalLink(em, { tenantId: clinic.tenantId, dashboardUrl: url }, asOperator()),
  );
  const partner = dashboard.stranger();
  const address = new URL(link.url).pathname;
  await partner.get(address);
  await partner.submit(address);
  const [rita, miguel] = [await ritaFrom('192.0.2.40'), await dashboard.person('miguel')];
  const { text } = await miguel.get('/settings/sessions');
  for (const words of ['Rita Lopes', 'Integration partner', '192.0.2.40']) expect(text).toContain(words);
  const portals = await itemsOf(admin('portal', 'list', '--tenant', clinic.tenantId));
  expect(portals).toMatchObject([
    { id: expect.any(String), lastAddress: expect.any(String), endsAt: expect.any(String) },
  ]);
  for (const action of endings(text)) {
    await miguel.get('/settings/sessions');
    await miguel.submit(action);
  }
  expect((await rita.get('/')).text).toContain('Who are you?');
  expect((await partner.get('/integrations/endpoints')).text).toContain('Who are you?');
  expect(await itemsOf(admin('portal', 'list', '--tenant', clinic.tenantId))).toEqual([]);
  expect((await miguel.get('/settings/sessions')).text).toContain('Miguel Sousa');
  const ended = await database.em().find(AuditEventEntity, { action: 'session.ended' });
  expect(ended.at(-1)?.actor).toMatch(/^person:/);
});
