import { types } from 'node:util';
import { errorCode } from '../error-code.ts';

/** Facts about an error that are safe to log. */
export interface ErrorDescription {
  type: string;
  message?: string;
  code?: string;
  constraint?: string;
  table?: string;
  /** None of a failed connection, which is no one's fault in the code. */
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

/** Errors of the socket and of the name service. */
const SOCKET_CODE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/;

/** Node's and OpenSSL's words for what is wrong with a certificate or a handshake. */
const TLS_CODE =
  /^((CERT|CRL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL)_\w+|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO)$/;

/** SQLSTATE classes: 08 connection, 28 sign-in, 3D no such database, 53 no room, 57P stopping or starting. */
const REFUSED_BY_SERVER = /^(08...|28...|3D...|53...|57P..)$/;

/** The driver of PostgreSQL gives a lost connection no code. */
const LOST = /^(Connection terminated|timeout exceeded when trying to connect)/;

/**
 * Why a connection failed, in one line that names the address, the certificate's fault or the account, and never what a row
 * holds; null for any other error.
 */
export function connectionFailure(error: unknown): string | null {
  if (!types.isNativeError(error)) return null;
  // Every address of a host was tried.
  const tried = error instanceof AggregateError ? error.errors : [];
  const failures = tried.flatMap((each) => connectionFailure(each) ?? []);
  if (failures.length > 0) return [...new Set(failures)].join('; ');
  const code = errorCode(error);
  if (TLS_CODE.test(code)) return `TLS: ${error.message}`;
  const isOwn = SOCKET_CODE.test(code) || REFUSED_BY_SERVER.test(code) || LOST.test(error.message);
  if (isOwn && error.message !== '') return error.message;
  return connectionFailure(error.cause);
}
