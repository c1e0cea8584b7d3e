import { expect, test } from '@jest/globals';
import { ERROR_WORDS } from '../../dashboard/layout/error-words.ts';
import { createPortalLink } from '../../commands/people/portal-links.ts';
import { allPages } from '../../dashboard/app.ts';
import { ROLES, type Role } from '../../domain/people/roles.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import type { Visitor } from '../support/pages/visitor.ts';

const dashboard = await suiteDashboard();
const [owner, manager, reception, support] = [
  await dashboard.person('ana'),
  await dashboard.person('miguel'),
  await dashboard.person('rita'),
  await dashboard.person('sofia'),
];
const visitors = { owner, manager, reception, support, portal: await aPartner() };

async function aPartner(): Promise<Visitor> {
  const { database, clinic, url } = dashboard;
  const input = { tenantId: clinic.tenantId, dashboardUrl: url };
  const context = { actor: 'operator', requestId: null, now: new Date() };
  const link = await database.write((em) => createPortalLink(em, input, context));
  const partner = dashboard.stranger();
  await partner.get(link.url);
  await partner.submit(new URL(link.url).pathname);
  return partner;
}

/** Who may see what begins so; the longest beginning counts. */
const ALLOWED: Readonly<Record<string, readonly Role[]>> = {
  '/': ['owner', 'manager', 'reception'],
  '/appointments': ['owner', 'manager', 'reception'],
  '/patients': ['owner', 'manager', 'reception'],
  '/appointments/:id/patient': ['owner'],
  '/patients/phone': ['owner'],
  '/patients/erased': ['owner'],
  '/blocks': ['owner', 'manager', 'reception'],
  '/calls': ['owner', 'manager', 'reception'],
  '/integrations/keys': ['owner', 'manager'],
  '/integrations/requests': ['owner', 'manager'],
  '/integrations/endpoints': ['owner', 'manager', 'portal'],
  '/integrations/deliveries': ['owner', 'manager', 'portal'],
  '/integrations/notices': ['owner', 'manager', 'portal'],
  '/settings': ['owner', 'manager'],
  '/settings/audit': ['owner'],
  '/sessions': ['owner', 'manager', 'reception', 'support'],
  '/support': ['support'],
};

function allowedAt(path: string): readonly Role[] {
  const [beginning] = Object.keys(ALLOWED)
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .toSorted((one, other) => other.length - one.length);
  return beginning === undefined ? [] : (ALLOWED[beginning] ?? []);
}

const NOBODYS_ID = '0195571c-5a60-7a3e-9f00-000000000000';
const FORBIDDEN = ERROR_WORDS.en.forbidden.role;

test('every page is for the roles that the guide names, and for no one else', async () => {
  const routes = allPages(dashboard.dependencies);
  expect(routes.length).toBeGreaterThan(20);
  for (const { method, path } of routes) {
    const address = path.replaceAll(/:\w+/g, NOBODYS_ID);
    const found: Role[] = [];
    for (const role of ROLES) {
      const visitor = visitors[role];
      const page = await (method === 'GET' ? visitor.get(address) : visitor.post(address, {}));
      const isSeen = !page.text.includes(FORBIDDEN) && (path !== '/' || page.url.pathname === '/');
      expect([role, path, page.status < 500]).toEqual([role, path, true]);
      if (isSeen) found.push(role);
    }
    expect([method, path, found]).toEqual([method, path, allowedAt(path)]);
  }
});

test('without a session no page is seen and no form is taken', async () => {
  for (const { method, path } of allPages(dashboard.dependencies)) {
    const address = path.replaceAll(/:\w+/g, NOBODYS_ID);
    const visitor = dashboard.stranger();
    const page = await (method === 'GET' ? visitor.get(address) : visitor.post(address, {}));
    const words = method === 'GET' ? 'Who are you?' : 'Your session has expired';
    expect([method, path, page.text.includes(words)]).toEqual([method, path, true]);
  }
});

test('every answer forbids caches, frames, and whatever comes from elsewhere', async () => {
  for (const path of ['/', '/appointments', '/no-such-page', '/integrations/endpoints']) {
    const { headers } = await visitors.owner.get(path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule);
  }
});
