import type { BrowserContextOptions } from 'playwright-core';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';

/** What makes a browser that of someone who has signed in. */
export async function signedIn(
  dashboard: TestDashboard,
  name: Parameters<TestDashboard['person']>[0],
): Promise<{ storageState: NonNullable<BrowserContextOptions['storageState']> }> {
  const visitor = await dashboard.person(name);
  const cookies = [...visitor.cookies()].map(([cookie, value]) => ({
    name: cookie,
    value,
    domain: new URL(dashboard.url).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  }));
  return { storageState: { cookies, origins: [] } };
}
