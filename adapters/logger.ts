import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.ts';

export type { Logger } from 'pino';

/** Names under which a secret or a patient's data could reach a log by mistake. Fields are flat: to search nested ones would cost more than the line. */
const NEVER_LOGGED = [
  'authorization',
  'apiKey',
  'key',
  'secret',
  'password',
  'url',
  'databaseUrl',
  'encryptionKey',
  'phoneHashKey',
  'patientName',
  'patientPhone',
  'patientNotes',
  'transcript',
  'body',
];

export interface LoggerOptions {
  level: string;
  /** Which process speaks: `api`, `worker` … */
  process: string;
  /** Where the lines go; stdout by default. */
  destination?: DestinationStream;
}

/** One JSON object a line. Log events with fields: `logger.info({ deliveryId }, 'delivery.attempted')`. */
export function createLogger({ level, process, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { process },
    timestamp: stdTimeFunctions.isoTime,
    messageKey: 'event',
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: NEVER_LOGGED, censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
