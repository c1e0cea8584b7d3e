import { httpAddress } from '../adapters/config/addresses-config.ts';
import { readConfigOrExit, variable, type Environment } from '../adapters/config/read-config.ts';
import { encryptionConfig } from '../adapters/config/keys-config.ts';
import { metricsConfig } from '../adapters/config/metrics-config.ts';
import { retentionConfig } from '../adapters/config/retention-config.ts';
import { databaseConfig, logConfig, modeConfig } from '../adapters/config/service-config.ts';
import { tracingConfig } from '../adapters/config/tracing-config.ts';
import { timingsConfig } from '../adapters/config/timings-config.ts';
import { allowedCidrsConfig, extraCaConfig } from '../adapters/config/webhook-config.ts';
import { workflowsConfig } from '../adapters/config/workflows-config.ts';
import { mailConfig } from '../adapters/mail/mail-config.ts';
import { temporalConfig } from '../adapters/temporal/connect-temporal.ts';

/** The worker's environment variables: docs/operations/variables.md */
export const WORKER_CONFIG = {
  mode: modeConfig,
  database: databaseConfig,
  encryption: encryptionConfig,
  temporal: temporalConfig,
  workflows: workflowsConfig,
  dashboardUrl: variable(
    'DASHBOARD_URL',
    httpAddress.optional().transform((url) => url?.replace(/\/$/, '') ?? null),
  ),
  timings: timingsConfig,
  retention: retentionConfig,
  log: logConfig,
  allowedCidrs: allowedCidrsConfig,
  extraCaPem: extraCaConfig,
  mail: mailConfig,
  metrics: metricsConfig,
  tracing: tracingConfig,
};

export type WorkerConfig = ReturnType<typeof readWorkerConfig>;

/** Prints every problem and exits when the environment is invalid. */
export function readWorkerConfig(environment: Environment) {
  return readConfigOrExit(WORKER_CONFIG, environment);
}

/** What registering search attributes and schedules with Temporal needs. */
export function readSetupConfig(environment: Environment) {
  return readConfigOrExit({ log: logConfig, temporal: temporalConfig }, environment);
}
