import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { describeError } from './describe-error.ts';
import { openLogDestination } from './log-destination.ts';
import { onceAMinute } from './repeated-lines.ts';

export type { Logger } from 'pino';

/** Names under which a secret or a patient's data could reach a log by mistake. */
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

const CENSORED = '[redacted]';

export interface LoggerOptions {
  level: string;
  /** Which process speaks: `api`, `worker` … */
  process: string;
  /** Where the lines go; stdout by default. */
  destination?: DestinationStream;
}

/** One JSON object a line. Log events with fields: `logger.info({ deliveryId }, 'delivery.attempted')`. */
export function createLogger({ level, process, destination = openLogDestination() }: LoggerOptions): Logger {
  const options = {
    level,
    base: { process },
    timestamp: stdTimeFunctions.isoTime,
    messageKey: 'event',
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecretsBelow },
    serializers: { err: describeError },
    hooks: { logMethod: onceAMinute() },
    redact: { paths: NEVER_LOGGED, censor: CENSORED },
  };
  return pino(options, destination);
}

/**
 * Censors a level down, but in `err`, of which only safe facts are written anyway. The wildcards of pino's own `redact` would
 * take three times as long as all else of a line.
 */
function withoutSecretsBelow(fields: Record<string, unknown>): Record<string, unknown> {
  const unsafe = Object.entries(fields).filter(
    ([field, value]) =>
      field !== 'err' &&
      typeof value === 'object' &&
      value !== null &&
      NEVER_LOGGED.some((name) => Object.hasOwn(value, name)),
  );
  if (unsafe.length === 0) return fields;
  return {
    ...fields,
    ...Object.fromEntries(unsafe.map(([name, value]) => [name, censored(value as object)])),
  };
}

function censored(value: object): Record<string, unknown> {
  const fields = Object.entries(value).map(([name, each]) => [
    name,
    NEVER_LOGGED.includes(name) ? CENSORED : each,
  ]);
  return Object.fromEntries(fields) as Record<string, unknown>;
}
