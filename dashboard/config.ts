import { z } from 'zod';
import { keysConfig } from '../adapters/config/keys-config.ts';
import { limitsConfig } from '../adapters/config/limits-config.ts';
import { metricsConfig } from '../adapters/config/metrics-config.ts';
import { dashboardUrlConfig, safeAddress, temporalUiConfig } from '../adapters/config/addresses-config.ts';
import { readConfigOrExit, type Environment } from '../adapters/config/read-config.ts';
import {
  databaseConfig,
  logConfig,
  modeConfig,
  portNumber,
  publicDatabaseConfig,
} from '../adapters/config/service-config.ts';
import { sendsMailConfig } from '../adapters/mail/mail-config.ts';
import { timingsConfig } from '../adapters/config/timings-config.ts';
import { allowedCidrsConfig, egressAddressesConfig } from '../adapters/config/webhook-config.ts';

const listenConfig = z
  .object({ HOST: z.string().default('127.0.0.1'), DASHBOARD_PORT: portNumber.default(3001) })
  .transform(({ HOST: host, DASHBOARD_PORT: port }) => ({ host, port }));

/** PUBLIC_URL: the API's public address. */
const apiUrlConfig = z
  .object({ PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }) })
  .transform((variables) => variables.PUBLIC_URL);

const identityConfig = z
  .object({
    OIDC_ISSUER: safeAddress,
    OIDC_CLIENT_ID: z.string(),
    OIDC_CLIENT_SECRET: z.string(),
    OIDC_ORGANIZATION_CLAIM: z.string().default('org_id'),
    OIDC_ROLE_CLAIM: z.string().default('role'),
    OIDC_SUPPORT_ORGANIZATION: z.string().optional(),
  })
  .transform((variables) => ({
    issuer: variables.OIDC_ISSUER,
    clientId: variables.OIDC_CLIENT_ID,
    clientSecret: variables.OIDC_CLIENT_SECRET,
    organisationClaim: variables.OIDC_ORGANIZATION_CLAIM,
    roleClaim: variables.OIDC_ROLE_CLAIM,
    supportOrganisation: variables.OIDC_SUPPORT_ORGANIZATION ?? null,
  }));

/** The dashboard's environment variables: docs/operations/variables.md */
export const DASHBOARD_CONFIG = {
  mode: modeConfig,
  database: databaseConfig,
  publicDatabaseUrl: publicDatabaseConfig,
  keys: keysConfig,
  limits: limitsConfig,
  timings: timingsConfig,
  log: logConfig,
  metrics: metricsConfig,
  listen: listenConfig,
  dashboardUrl: dashboardUrlConfig,
  apiUrl: apiUrlConfig,
  identity: identityConfig,
  temporal: temporalUiConfig,
  sendsMail: sendsMailConfig,
  allowedCidrs: allowedCidrsConfig,
  egressAddresses: egressAddressesConfig,
};

export type DashboardConfig = ReturnType<typeof readDashboardConfig>;

export function readDashboardConfig(environment: Environment) {
  return readConfigOrExit(DASHBOARD_CONFIG, environment);
}
