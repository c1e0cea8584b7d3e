import { z } from 'zod';
import { dashboardUrlConfig, httpAddress, temporalUiConfig } from '../adapters/config/addresses-config.ts';
import { limitsConfig } from '../adapters/config/limits-config.ts';
import { keysConfig } from '../adapters/config/keys-config.ts';
import { metricsConfig } from '../adapters/config/metrics-config.ts';
import { readConfigOrExit, type Environment } from '../adapters/config/read-config.ts';
import { recordingsConfig } from '../adapters/config/recordings-config.ts';
import { databaseConfig, logConfig, modeConfig, portNumber } from '../adapters/config/service-config.ts';
import { tracingConfig } from '../adapters/config/tracing-config.ts';
import { timingsConfig } from '../adapters/config/timings-config.ts';
import { allowedCidrsConfig, egressAddressesConfig } from '../adapters/config/webhook-config.ts';

const listenConfig = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: portNumber.default(3000),
    PUBLIC_URL: httpAddress.optional(),
  })
  .transform(({ HOST: host, PORT: number, PUBLIC_URL: publicUrl }) => {
    const reachable = host.includes(':') ? `[${host}]` : host;
    return { host, port: number, publicUrl: publicUrl ?? `http://${reachable}:${number}` };
  });

/** The API's environment variables: docs/operations/variables.md */
export const API_CONFIG = {
  mode: modeConfig,
  database: databaseConfig,
  keys: keysConfig,
  timings: timingsConfig,
  limits: limitsConfig,
  log: logConfig,
  listen: listenConfig,
  dashboardUrl: dashboardUrlConfig,
  temporal: temporalUiConfig,
  recordings: recordingsConfig,
  allowedCidrs: allowedCidrsConfig,
  egressAddresses: egressAddressesConfig,
  metrics: metricsConfig,
  tracing: tracingConfig,
};

export type ApiConfig = ReturnType<typeof readApiConfig>;

export function readApiConfig(environment: Environment) {
  return readConfigOrExit(API_CONFIG, environment);
}
