import type { Logger as TemporalLogger, LogLevel } from '@temporalio/common';
import type { Logger } from '../adapters/logs/logger.ts';

/** Temporal's SDK is talkative at INFO. */
const PINO_LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Lets Temporal's SDK speak through our log: its words, an error's facts and the ids it names. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const log = (level: LogLevel, message: string, meta: Record<string | symbol, unknown> = {}) => {
    const { error, workflowId, activityType, attempt, taskQueue } = meta;
    const fields = { sdk: message, err: error, workflowId, activityType, attempt, taskQueue };
    logger[PINO_LEVELS[level]](fields, 'temporal.sdk');
  };
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
}
