import { types } from 'node:util';
import { connectionFailure } from '../connections/connection-failure.ts';

/** Facts about an error that are safe to log. */
export interface ErrorDescription {
  type: string;
  message?: string;
  code?: string;
  constraint?: string;
  table?: string;
  /** None of a failed connection, which is nobody's fault in the code. */
  frames?: string[];
  cause?: ErrorDescription;
}

/** Their messages name our own code's faults, a key's name or an address, never a row's content. */
const SPEAKS_SAFELY = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SecretUnreadableError']);

/**
 * An error without its words: PostgreSQL and MikroORM quote rows and parameters in their messages, JSON.parse quotes
 * its input. What remains (type, code, constraint, place in the code) is what an operator needs.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!types.isNativeError(error)) return { type: typeof error };
  const failure = connectionFailure(error);
  if (failure !== null) return { type: error.constructor.name, message: failure, ...textFields(error) };
  return {
    type: error.constructor.name,
    ...(isSafeToQuote(error) && { message: error.message }),
    ...textFields(error),
    frames: framesOf(error),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** The same in one line. */
export function safeFacts(error: unknown): string {
  const { type, code, constraint, message } = describeError(error);
  return [type, code, constraint, message].filter((fact) => fact !== undefined).join(', ');
}

function isSafeToQuote(error: Error): boolean {
  return 'syscall' in error || SPEAKS_SAFELY.has(error.constructor.name);
}

function textFields(error: Error): Partial<Record<'code' | 'constraint' | 'table', string>> {
  const facts = error as { code?: unknown; constraint?: unknown; table?: unknown };
  const entries = Object.entries({ code: facts.code, constraint: facts.constraint, table: facts.table });
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
}

/** Only the "at …" lines: a stack begins with the message. */
function framesOf(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => /^at .+:\d+/.test(line)).slice(0, 10);
}
