import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Environment } from '../adapters/config/read-config.ts';
import { LOOPBACK_CIDRS } from '../adapters/config/webhook-config.ts';
import { SERVICE_MODES } from '../domain/service-mode.ts';
import { AdminFailure } from './failures.ts';

/** The contents of the file that the running service writes. */
const runningFile = z.object({
  databaseUrl: z.string(),
  dashboardUrl: z.string().nullish(),
  temporalAddress: z.string(),
  temporalNamespace: z.string(),
  temporalUiUrl: z.string().nullish(),
  serviceMode: z.enum(SERVICE_MODES),
});
const keysFile = z.object({ encryptionKey: z.string(), phoneHashKey: z.string() });

/** The environment, completed from the local service when DATABASE_URL is not set. */
export function findService(environment: Environment): Environment {
  if (environment['DATABASE_URL']) return environment;
  const directory = environment['DATA_DIR'] || '.local';
  const running = readJson(join(directory, 'running.json'), runningFile);
  if (!running) {
    throw new AdminFailure(
      `No service runs here: ${directory}/running.json is missing. Start it with "npm start", or set DATABASE_URL.`,
    );
  }
  const keys = readJson(join(directory, 'keys.json'), keysFile);
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  return {
    SERVICE_MODE: running.serviceMode,
    ENCRYPTION_KEY: keys?.encryptionKey,
    PHONE_HASH_KEY: keys?.phoneHashKey,
    RECORDINGS_URL: pathToFileURL(resolve(directory, 'recordings')).href,
    WEBHOOK_ALLOWED_CIDRS: running.serviceMode === 'test' ? LOOPBACK_CIDRS : undefined,
    DASHBOARD_URL: running.dashboardUrl ?? undefined,
    ...given,
    DATABASE_URL: running.databaseUrl,
    TEMPORAL_CONFIG_FILE: join(directory, 'temporal-profile.toml'),
    TEMPORAL_ADDRESS: running.temporalAddress,
    TEMPORAL_NAMESPACE: running.temporalNamespace,
    TEMPORAL_UI_URL: running.temporalUiUrl ?? undefined,
  };
}

/** Reads a JSON file; null when it does not exist. */
function readJson<T>(path: string, schema: z.ZodType<T>): T | null {
  if (!existsSync(path)) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new AdminFailure(`${path} cannot be read.`, { cause: error });
  }
}
