import { randomBytes } from 'node:crypto';
import type { LauncherConfig } from '../config.ts';
import { SUPPORT_ORGANISATION } from './demo-people.ts';
import { freePort } from '../processes/free-port.ts';

const PREFERRED_ISSUER_PORT = 3002;
const LOCAL_CLIENT = 'dashboard';

export type DashboardPlan = NonNullable<Awaited<ReturnType<typeof chooseDashboard>>>;

/**
 * Where the dashboard is to be, and who signs people in. Null where no one could: a live service does not let anyone in without a
 * password.
 */
export async function chooseDashboard(config: LauncherConfig) {
  // Whether the provider is to be one of this machine: no one has named another.
  const hasLocalProvider = config.environment['OIDC_ISSUER'] === undefined;
  if (hasLocalProvider && config.mode === 'live') return null;
  const port = await freePort(config.host, config.dashboardPort);
  const url = config.dashboardUrl ?? `http://127.0.0.1:${port}`;
  const environment = { DASHBOARD_PORT: String(port), DASHBOARD_URL: url };
  if (!hasLocalProvider) return { url, environment, hasLocalProvider };
  const issuerPort = await freePort('127.0.0.1', PREFERRED_ISSUER_PORT);
  return {
    url,
    hasLocalProvider,
    // For the dashboard, for the API's portal links, and for the identity provider of this machine.
    environment: {
      ...environment,
      IDENTITY_PORT: String(issuerPort),
      OIDC_ISSUER: `http://127.0.0.1:${issuerPort}`,
      OIDC_SUPPORT_ORGANIZATION: SUPPORT_ORGANISATION,
      OIDC_CLIENT_ID: LOCAL_CLIENT,
      OIDC_CLIENT_SECRET: randomBytes(24).toString('base64url'),
    },
  };
}
