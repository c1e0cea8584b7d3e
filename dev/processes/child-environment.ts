import { pathToFileURL } from 'node:url';
import type { LauncherConfig } from '../config.ts';
import type { DataDirectory } from '../data-directory/data-directory.ts';
import type { LocalKeys } from '../data-directory/local-keys.ts';

const LOOPBACK = '127.0.0.0/8,::1/128';

/** Where the parts of this instance are. */
export type Addresses = {
  databaseUrl: string;
  temporal: { address: string; uiUrl: string | null; isEmbedded: boolean };
  apiPort: number;
  apiUrl: string;
};

/** The whole configuration of the services: what the user set wins over what the launcher would choose. */
export function childEnvironment(
  config: LauncherConfig,
  directory: DataDirectory,
  keys: LocalKeys,
  addresses: Addresses,
): NodeJS.ProcessEnv {
  return {
    ...(config.mode === 'test' ? sandboxDefaults(directory) : {}),
    // glibc keeps a heap for every thread; with two the worker takes 70 MB less.
    MALLOC_ARENA_MAX: '2',
    PHONE_HASH_KEY: keys.phoneHashKey,
    ENCRYPTION_KEY: keys.encryptionKey,
    RECORDINGS_URL: pathToFileURL(directory.recordings).href,
    PUBLIC_URL: addresses.apiUrl,
    ...(config.environment['SMTP_URL'] === undefined ? { MAIL_DIRECTORY: directory.mail } : {}),
    ...withoutTemporal(config.environment),
    ...temporalVariables(config, addresses.temporal),
    TEMPORAL_CONFIG_FILE: directory.temporalProfile,
    SERVICE_MODE: config.mode,
    DATABASE_URL: addresses.databaseUrl,
    HOST: config.host,
    PORT: String(addresses.apiPort),
  };
}

/** A receiver on this machine with a certificate of the local CA works at once. */
function sandboxDefaults(directory: DataDirectory): NodeJS.ProcessEnv {
  return { WEBHOOK_ALLOWED_CIDRS: LOOPBACK, WEBHOOK_CA_FILE: directory.caCertificate };
}

function withoutTemporal(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

/** The user's credentials are for the user's server; the embedded one gets none. A profile file is never read. */
function temporalVariables(config: LauncherConfig, temporal: Addresses['temporal']): NodeJS.ProcessEnv {
  const own = Object.entries(config.environment).filter(
    ([name]) => name.startsWith('TEMPORAL_') && !['TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'].includes(name),
  );
  return {
    ...(temporal.isEmbedded ? {} : Object.fromEntries(own)),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: config.temporalNamespace,
    ...(temporal.uiUrl === null ? {} : { TEMPORAL_UI_URL: temporal.uiUrl }),
  };
}
