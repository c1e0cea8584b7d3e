import { Runtime, type LogLevel } from '@temporalio/worker';
import type { Logger } from '../adapters/logger.ts';

const PINO_LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/**
 * Lets Temporal's SDK speak through our log and leaves signals to us: by itself it would end its workers on SIGTERM and
 * leave the other loops of this process running. To be called before anything else of the SDK.
 */
export function installTemporalRuntime(logger: Logger): void {
  const log = (level: LogLevel, message: string, meta: Record<string | symbol, unknown> = {}) => {
    const { error, workflowId, activityType, attempt, taskQueue } = meta;
    const fields = { sdk: message, err: error, workflowId, activityType, attempt, taskQueue };
    logger[PINO_LEVELS[level]](fields, 'temporal.sdk');
  };
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log,
      trace: (message, meta) => log('TRACE', message, meta),
      debug: (message, meta) => log('DEBUG', message, meta),
      info: (message, meta) => log('INFO', message, meta),
      warn: (message, meta) => log('WARN', message, meta),
      error: (message, meta) => log('ERROR', message, meta),
    },
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}
