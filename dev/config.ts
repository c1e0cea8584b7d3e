import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { readConfig, variables } from '../adapters/config/read-config.ts';
import { portNumber } from '../adapters/config/service-config.ts';
import { LOOPBACK_CIDRS } from '../adapters/config/webhook-config.ts';
import { API_CONFIG } from '../api/config.ts';
import { DASHBOARD_CONFIG } from '../dashboard/config.ts';
import { WORKER_CONFIG } from '../worker/config.ts';
import { dataDirectory, type DataDirectory } from './data-directory/data-directory.ts';
import type { LocalKeys } from './data-directory/local-keys.ts';

/** A file that does not exist, so that the SDK and the command line do not read the profile file in the user's home. */
const NO_PROFILE = '/nonexistent/temporal.toml';

/** The addresses of this instance's parts. */
export type Addresses = {
  databaseUrl: string;
  temporal: { address: string; uiUrl: string | null; isEmbedded: boolean };
  apiPort: number | string;
  apiUrl: string;
};

export type LauncherConfig = ReturnType<typeof readLauncherConfig>;

/** The launcher's own settings. Ports are preferences: a port in use is replaced by a free one. */
const launcherConfig = variables({
  host: ['HOST', z.string().default('127.0.0.1')],
  port: ['PORT', portNumber.default(3000)],
  metricsHost: ['METRICS_HOST', z.string().default('127.0.0.1')],
  metricsPort: ['METRICS_PORT', portNumber.default(9464)],
  dashboardPort: ['DASHBOARD_PORT', portNumber.default(3001)],
  temporalAddress: ['TEMPORAL_ADDRESS', z.string().regex(/^\S+:\d{1,5}$/, 'must be host:port')],
});

/** Placeholders for keys created later, so that the user's settings can be checked before. */
const LATER_KEYS = {
  phoneHashKey: Buffer.alloc(32, 1).toString('base64'),
  encryptionKey: Buffer.alloc(32, 2).toString('base64'),
  databasePassword: '',
};
const LATER_PROVIDER = {
  OIDC_ISSUER: 'http://localhost',
  OIDC_CLIENT_ID: 'dashboard',
  OIDC_CLIENT_SECRET: 'made later',
};
const LATER_ADDRESSES = { databaseUrl: 'postgresql://localhost', apiPort: 3000, apiUrl: 'http://localhost' };

/**
 * Reads the environment that the services will get. An empty variable counts as unset.
 * @throws ConfigError with all problems of the launcher and the services
 */
export function readLauncherConfig(variables: NodeJS.ProcessEnv) {
  const environment = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, PORT, WEBHOOK_CA_FILE } = environment;
  const directory = dataDirectory(resolve(environment['DATA_DIR'] ?? '.local'));
  const given = serviceEnvironment(environment, directory, LATER_KEYS, {
    ...LATER_ADDRESSES,
    ...(databaseUrl !== undefined && { databaseUrl }),
    temporal: {
      address: temporalAddress ?? 'localhost:7233',
      uiUrl: environment['TEMPORAL_UI_URL'] ?? null,
      isEmbedded: temporalAddress === undefined,
    },
  });
  const pieces = {
    ...WORKER_CONFIG,
    ...API_CONFIG,
    ...DASHBOARD_CONFIG,
    // The API's address; the dashboard's is its host and port.
    listen: API_CONFIG.listen,
    launcher: launcherConfig,
    server: WORKER_CONFIG.temporal,
  };
  const provider = environment['OIDC_ISSUER'] === undefined ? LATER_PROVIDER : {};
  const read = readConfig(pieces, { ...provider, ...given, PORT, WEBHOOK_CA_FILE });
  return {
    ...read.launcher,
    environment,
    directory,
    mode: read.mode,
    /** Undefined when PostgreSQL or Temporal is embedded. */
    databaseUrl,
    temporalAddress,
    temporalNamespace: read.temporal.namespace,
    temporalUiUrl: read.temporal.uiUrl,
    /** The dashboard's address; undefined when it is on this machine. */
    dashboardUrl: environment['DASHBOARD_URL'] === undefined ? undefined : read.dashboardUrl,
    allowedCidrs: read.allowedCidrs,
    extraCaPem: read.extraCaPem,
  };
}

/** The environment of the services: the user's settings override the launcher's. */
export function serviceEnvironment(
  given: NodeJS.ProcessEnv,
  directory: DataDirectory,
  keys: LocalKeys,
  addresses: Addresses,
): NodeJS.ProcessEnv {
  const { SERVICE_MODE = 'test', SMTP_URL } = given;
  return {
    // So that a local receiver with a certificate of the local CA works at once.
    ...(SERVICE_MODE === 'test' && { WEBHOOK_ALLOWED_CIDRS: LOOPBACK_CIDRS }),
    // glibc has a heap per thread; with two the worker needs 70 MB less.
    MALLOC_ARENA_MAX: '2',
    PHONE_HASH_KEY: keys.phoneHashKey,
    ENCRYPTION_KEY: keys.encryptionKey,
    RECORDINGS_URL: pathToFileURL(directory.recordings).href,
    PUBLIC_URL: addresses.apiUrl,
    ...(SMTP_URL === undefined && { MAIL_DIRECTORY: directory.mail }),
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('TEMPORAL_'))),
    ...temporalVariables(given, addresses.temporal),
    TEMPORAL_CONFIG_FILE: NO_PROFILE,
    SERVICE_MODE,
    // The file includes the user's own certificates.
    ...(SERVICE_MODE === 'test' && { WEBHOOK_CA_FILE: directory.trustedCas }),
    DATABASE_URL: addresses.databaseUrl,
    PORT: String(addresses.apiPort),
  };
}

/** The variables for Temporal. The user's credentials are only for the user's server. Profile files are never read. */
function temporalVariables(given: NodeJS.ProcessEnv, temporal: Addresses['temporal']): NodeJS.ProcessEnv {
  const own = Object.entries(given).filter(
    ([name]) => name.startsWith('TEMPORAL_') && !['TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'].includes(name),
  );
  return {
    ...(temporal.isEmbedded ? {} : Object.fromEntries(own)),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: given['TEMPORAL_NAMESPACE'] ?? 'default',
    ...(temporal.uiUrl !== null && { TEMPORAL_UI_URL: temporal.uiUrl }),
  };
}
