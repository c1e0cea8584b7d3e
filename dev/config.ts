import { resolve } from 'node:path';
import { z } from 'zod';
import { SERVICE_MODES } from '../domain/service-mode.ts';

const port = z.coerce.number().int().min(1).max(65_535);

/** What the launcher itself decides on; every other variable is passed to the services, which check it themselves. */
const launcherEnvironment = z.object({
  SERVICE_MODE: z.enum(SERVICE_MODES).default('test'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(3000),
  METRICS_PORT: port.default(9464),
  PUBLIC_URL: z.url().optional(),
  DATA_DIR: z.string().min(1).default('.local'),
  DATABASE_URL: z.string().min(1).optional(),
  TEMPORAL_ADDRESS: z.string().min(1).optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_UI_URL: z.url().optional(),
});

export type LauncherConfig = {
  environment: NodeJS.ProcessEnv;
  mode: z.infer<typeof launcherEnvironment>['SERVICE_MODE'];
  host: string;
  /** Preferences: a taken port is replaced by a free one. */
  port: number;
  metricsPort: number;
  publicUrl: string | undefined;
  dataDirectory: string;
  /** Given when PostgreSQL or Temporal is not to be embedded. */
  databaseUrl: string | undefined;
  temporalAddress: string | undefined;
  temporalNamespace: string;
  temporalUiUrl: string | undefined;
};

export class ConfigurationError extends Error {}

/** Reads the environment; throws one ConfigurationError that lists every problem. An empty variable counts as unset. */
export function readLauncherConfig(variables: NodeJS.ProcessEnv): LauncherConfig {
  const environment = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = launcherEnvironment.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new ConfigurationError(['The environment is not usable:', ...problems].join('\n'));
  }
  const values = parsed.data;
  return {
    environment,
    mode: values.SERVICE_MODE,
    host: values.HOST,
    port: values.PORT,
    metricsPort: values.METRICS_PORT,
    publicUrl: values.PUBLIC_URL,
    dataDirectory: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    temporalUiUrl: values.TEMPORAL_UI_URL,
  };
}
