import { randomBytes } from 'node:crypto';
import type { LauncherConfig } from '../config.ts';
import { SUPPORT_ORGANISATION } from './demo-people.ts';
import { freePort } from '../processes/free-port.ts';

const PREFERRED_ISSUER_PORT = 3002;
const LOCAL_CLIENT = 'dashboard';

export type DashboardPlan = NonNullable<Awaited<ReturnType<typeof chooseDashboard>>>;

/**
 * The dashboard's address and identity provider. Null if no one could sign in: a live service must not use a provider
 * without passwords.
 */
export async function chooseDashboard(config: LauncherConfig) {
  // Use the local provider unless another is configured.
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
    // For the dashboard, the API's portal links and the local identity provider.
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
