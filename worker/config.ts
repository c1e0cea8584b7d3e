import { z } from 'zod';
import { readConfigOrExit, type Environment } from '../adapters/config/read-config.ts';
import {
  databaseConfig,
  encryptionKeyConfig,
  logConfig,
  modeConfig,
} from '../adapters/config/service-config.ts';
import { timingsConfig } from '../adapters/config/timings-config.ts';
import { allowedCidrsConfig } from '../adapters/config/webhook-config.ts';
import { mailConfig } from '../adapters/mail/mail-config.ts';
import { readTemporalConfig, type TemporalConfig } from '../adapters/temporal/temporal-config.ts';

/** METRICS_PORT; without it there is no metrics server. */
const metricsPortConfig = z
  .object({ METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional() })
  .transform((variables) => variables.METRICS_PORT);

/** WEBHOOK_CA_FILE */
const caFileConfig = z
  .object({ WEBHOOK_CA_FILE: z.string().optional() })
  .transform((variables) => variables.WEBHOOK_CA_FILE);

/** Everything the worker reads from its environment; prints every problem and exits when it is not usable. */
export function readWorkerConfig(environment: Environment) {
  const config = readConfigOrExit(
    {
      mode: modeConfig,
      database: databaseConfig,
      encryptionKey: encryptionKeyConfig,
      timings: timingsConfig,
      log: logConfig,
      allowedCidrs: allowedCidrsConfig,
      caFile: caFileConfig,
      mail: mailConfig,
      metricsPort: metricsPortConfig,
    },
    environment,
  );
  return { ...config, temporal: readTemporalConfig(environment) };
}

export type WorkerConfig = ReturnType<typeof readWorkerConfig>;

/** What registering names with Temporal needs. */
export function readSetupConfig(environment: Environment): {
  log: { level: string };
  temporal: TemporalConfig;
} {
  const config = readConfigOrExit({ log: logConfig }, environment);
  return { ...config, temporal: readTemporalConfig(environment) };
}
