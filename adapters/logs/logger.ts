import {
  pino,
  stdTimeFunctions,
  type DestinationStream,
  type Logger,
  destination as openDestination,
  type LoggerOptions as PinoOptions,
} from 'pino';
import { describeError, connectionFailure } from './describe-error.ts';
import { Memory } from '../memory.ts';
import { activeTrace } from '../tracing/active-trace.ts';

export type { Logger } from 'pino';

/** Field names that could hold secrets or patient data by mistake. */
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
  /** The name of the process: `api`, `worker` … */
  process: string;
  /** Where the lines go; stdout by default. */
  destination?: DestinationStream;
}

/**
 * Creates a logger that writes one JSON object per line. Log events with fields: `logger.info({ deliveryId },
 * 'delivery.attempted')`.
 */
export function createLogger({ level, process, destination = openLogDestination() }: LoggerOptions): Logger {
  const options = {
    level,
    base: { process },
    timestamp: stdTimeFunctions.isoTime,
    messageKey: 'event',
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecretsBelow },
    serializers: { err: describeError },
    hooks: { logMethod: onceAMinute() },
    // A new object each time: pino adds the line's own fields to it.
    mixin: () => ({ ...activeTrace() }),
    redact: { paths: NEVER_LOGGED, censor: CENSORED },
  };
  return pino(options, destination);
}

/**
 * Removes secrets from nested fields, except in `err`, of which only safe facts are logged. The wildcards of pino's
 * `redact` would take three times as long as the rest.
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

const STDOUT = 1;

/** The size of the buffer for lines that cannot be written yet; further lines are lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Writes to stdout, which may be a file on a full disk. The process continues, and each new line retries the buffered
 * ones. By default the stream would end the process, and block its exit until there is room.
 */
function openLogDestination(fd = STDOUT) {
  const log = openDestination({ dest: fd, sync: false, maxLength: MAX_WAITING_BYTES });
  const flush = log.flushSync.bind(log);
  let isWritten = true;
  log.on('write', () => (isWritten = true));
  // The error cannot be reported, because the log itself fails.
  log.on('error', () => (isWritten = false));
  // A full stream drops lines without retrying; writing nothing triggers a retry.
  log.on('drop', () => log.write(''));
  log.flushSync = () => {
    if (isWritten) flush();
  };
  return log;
}

const SAID_EVERY_MS = 60_000;
const MAX_REMEMBERED = 100;

type LogMethod = NonNullable<NonNullable<PinoOptions['hooks']>['logMethod']>;

/**
 * A line that only reports a failed connection is written once a minute, with the count `repeated`: several loops retry
 * every second with the same message. Lines about a request or delivery are all written.
 */
function onceAMinute(): LogMethod {
  const said = new Memory<{ atMs: number; repeated: number }>(MAX_REMEMBERED);
  return function logMethod(args, method) {
    const [fields, event] = args as unknown[];
    const failure = failureAlone(fields);
    if (failure === null) return method.apply(this, args);
    const line = `${String(event)} ${failure}`;
    const before = said.get(line);
    const now = performance.now();
    if (before && now - before.atMs < SAID_EVERY_MS) {
      before.repeated += 1;
      return;
    }
    said.keep(line, { atMs: now, repeated: 0 });
    const repeated = before?.repeated ?? 0;
    if (repeated > 0) Object.assign(fields as object, { repeated });
    return method.apply(this, args);
  };
}

/** The failure of a line that has only numbers next to the error; null for other lines. Texts may be ids. */
function failureAlone(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return null;
  const isAlone = Object.entries(fields).every(
    ([name, value]) => name === 'err' || typeof value === 'number',
  );
  return isAlone ? connectionFailure(fields.err) : null;
}
