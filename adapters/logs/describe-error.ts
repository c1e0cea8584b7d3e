import { types } from 'node:util';
import { errorCode } from '../error-code.ts';

/** Facts about an error that are safe to log. */
export interface ErrorDescription {
  type: string;
  message?: string;
  code?: string;
  constraint?: string;
  table?: string;
  /** The lines of the stack; absent for a failed connection, which is no fault of the code. */
  frames?: string[];
  cause?: ErrorDescription;
}

/** Error types whose messages contain only faults in code, key names or addresses, never row data. */
const SPEAKS_SAFELY = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SecretUnreadableError']);

/**
 * Describes an error without its message: PostgreSQL and MikroORM quote rows and parameters, JSON.parse quotes its
 * input. Type, code, constraint and stack are enough for operators.
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

/** The description of an error in one line. */
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

/** Only the "at …" lines: a stack starts with the message. */
function framesOf(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => /^at .+:\d+/.test(line)).slice(0, 10);
}

/** Errors of sockets and name resolution. */
const SOCKET_CODE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/;

/** Certificate and handshake errors of Node and OpenSSL. */
const TLS_CODE =
  /^((CERT|CRL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL)_\w+|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO)$/;

/** SQLSTATE classes: 08 connection, 28 sign-in, 3D no such database, 53 no room, 57P stopping or starting. */
const REFUSED_BY_SERVER = /^(08...|28...|3D...|53...|57P..)$/;

/** Messages about a lost connection, for which PostgreSQL's driver has no code. */
const LOST = /^(Connection terminated|timeout exceeded when trying to connect)/;

/**
 * Why a connection failed, in one line with address, certificate problem or account, never row data; null for other
 * errors.
 */
export function connectionFailure(error: unknown): string | null {
  if (!types.isNativeError(error)) return null;
  // All addresses of a host failed.
  const tried = error instanceof AggregateError ? error.errors : [];
  const failures = tried.flatMap((each) => connectionFailure(each) ?? []);
  if (failures.length > 0) return [...new Set(failures)].join('; ');
  const code = errorCode(error);
  if (TLS_CODE.test(code)) return `TLS: ${error.message}`;
  const isOwn = SOCKET_CODE.test(code) || REFUSED_BY_SERVER.test(code) || LOST.test(error.message);
  if (isOwn && error.message !== '') return error.message;
  return connectionFailure(error.cause);
}
