import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createLogger, type Logger } from '../../adapters/logs/logger.ts';

/** Silent unless TEST_LOG_LEVEL says otherwise. */
export function testLogger(): Logger {
  return pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
}

/** A logger, and the lines that it has written, as events with their fields. */
export function aLog(): { lines: Record<string, unknown>[]; logger: Logger } {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ level: 'info', process: 'test', destination }) };
}

/** Where a log goes that a test wants to read, a line each. */
export function linesTo(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().split('\n').filter(Boolean));
      done();
    },
  });
}
