import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '../adapters/logs/logger.ts';

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
