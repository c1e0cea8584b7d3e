import { DefaultLogger, Runtime, type MetricsExporterConfig } from '@temporalio/worker';
import type { Logger } from '../adapters/logs/logger.ts';

/**
 * Gives our logger to Temporal's SDK and prevents the SDK from handling signals. By default, the SDK would stop its
 * workers on SIGTERM while our other loops continue. Call it before any other SDK function.
 * @param metrics where the SDK sends its metrics, if anywhere
 */
export function installTemporalRuntime(logger: Logger, metrics?: MetricsExporterConfig): void {
  Runtime.install({
    shutdownSignals: [],
    logger: temporalLogger(logger),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metrics && { metrics }),
    },
  });
}

/** The SDK logs a lot at INFO. */
const PINO_LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Writes the SDK's log lines to our logger: message, error facts and ids. */
export function temporalLogger(logger: Logger): DefaultLogger {
  return new DefaultLogger('TRACE', ({ level, message, meta = {} }) => {
    const { error, workflowId, activityType, attempt, taskQueue } = meta;
    const fields = { sdk: message, err: error, workflowId, activityType, attempt, taskQueue };
    logger[PINO_LEVELS[level]](fields, 'temporal.sdk');
  });
}
