import { DefaultLogger, Runtime, type MetricsExporterConfig } from '@temporalio/worker';
import type { Logger } from '../adapters/logs/logger.ts';

/**
 * Gives Temporal's SDK our log and leaves signals to us: by itself it would end its workers on SIGTERM and leave the
 * other loops of this process running. To be called before anything else of the SDK.
 * @param metrics where the SDK tells what it measures, if anywhere
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

/** Temporal's SDK is talkative at INFO. */
const PINO_LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Lets Temporal's SDK speak through our log: its words, an error's facts and the ids it names. */
export function temporalLogger(logger: Logger): DefaultLogger {
  return new DefaultLogger('TRACE', ({ level, message, meta = {} }) => {
    const { error, workflowId, activityType, attempt, taskQueue } = meta;
    const fields = { sdk: message, err: error, workflowId, activityType, attempt, taskQueue };
    logger[PINO_LEVELS[level]](fields, 'temporal.sdk');
  });
}
