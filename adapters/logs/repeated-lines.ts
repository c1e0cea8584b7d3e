import type { LoggerOptions } from 'pino';
import { connectionFailure } from '../connections/connection-failure.ts';
import { Memory } from '../memory.ts';

const SAID_EVERY_MS = 60_000;
const MOST_REMEMBERED = 100;

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/**
 * A line that tells of nothing but a failed connection is written once a minute, with how often it was `repeated` meanwhile:
 * several loops try again every second, and what they have to say is the same. Lines that name a request or a delivery are all written.
 */
export function onceAMinute(): LogMethod {
  const said = new Memory<{ atMs: number; repeated: number }>(MOST_REMEMBERED);
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

/** Ids are texts: beside the error there may be numbers only. */
function failureAlone(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return null;
  const isAlone = Object.entries(fields).every(
    ([name, value]) => name === 'err' || typeof value === 'number',
  );
  return isAlone ? connectionFailure(fields.err) : null;
}
