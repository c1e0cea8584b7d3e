import { DefaultLogger, Runtime, type MetricsExporterConfig } from '@temporalio/worker';
import type { Logger } from '../adapters/logs/logger.ts';

/**
 * Gives Temporal's SDK our logger and keeps its hands off signals: by default it would stop its workers on SIGTERM and
 * leave our other loops running. Call it before any other SDK function.
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
