import { z } from 'zod';
import { portNumber } from './service-config.ts';

export type MetricsAddress = NonNullable<z.output<typeof metricsConfig>>;

/** METRICS_HOST and METRICS_PORT; null without a port: no metrics are served. */
export const metricsConfig = z
  .object({
    METRICS_HOST: z.string().default('127.0.0.1'),
    METRICS_PORT: portNumber.refine((port) => port > 0, 'must be a port from 1 to 65535').optional(),
  })
  .transform(({ METRICS_HOST: host, METRICS_PORT: port }) => (port === undefined ? null : { host, port }));
