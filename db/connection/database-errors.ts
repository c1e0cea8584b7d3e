import { types } from 'node:util';

/** Errors of the socket, from before PostgreSQL could say anything. */
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
]);

/** This process or its machine has no descriptor left, for a connection or for whatever else the request needs. */
const NO_DESCRIPTOR = new Set(['EMFILE', 'ENFILE']);

/**
 * What a server says that takes no writes: a standby, or a primary that was made one. 25006: of a statement that writes; 0A000: of
 * a table that standbys do not have, and also of a plan that a migration has overtaken, which passes too.
 */
const REFUSED_WRITE = /^(25006|0A000)$/;

/** What a server says that then closes the connection: it was shut down or told to, or a transaction or session was idle too long. */
const CLOSED = /^(57P0[1-5]|25P03)$/;

/**
 * SQLSTATE classes: 08 connection, 53 resources; 57014: took too long; 40001, 40P01 and 55P03: try again.
 */
const PASSING_STATE = /^(08...|53...|57014|40001|40P01|55P03)$/;

/** The driver's own words for a lost or unavailable connection; it gives them no code. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
];

/** So many wait for the database already, or for so long, that waiting on would be of no use. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/**
 * Whether the database could not be used for now (away, busy, too slow, in a deadlock, without writes), so that the same request may
 * succeed later. None is run again here: a request is answered 503, a workflow's activity and the outbox try again.
 */
export function isPassingFailure(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if (error instanceof DatabaseBusy || wantsAnotherConnection(error)) return true;
  const code = codeOf(error);
  if (SOCKET_ERRORS.has(code) || NO_DESCRIPTOR.has(code) || PASSING_STATE.test(code)) return true;
  if (DRIVER_MESSAGES.some((message) => error.message.startsWith(message))) return true;
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  return causes.some((cause) => cause !== undefined && isPassingFailure(cause));
}

/** Whether another connection is to be had: the server behind this one took no write, which another one may, or is closing it. */
export function wantsAnotherConnection(error: unknown): boolean {
  const code = codeOf(error);
  return REFUSED_WRITE.test(code) || CLOSED.test(code);
}

/** SQLSTATE, or the code of an error of the socket; empty without one. */
export function codeOf(error: unknown): string {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether `error` is PostgreSQL's refusal (SQLSTATE 23505) of a second row under this unique constraint or index. */
export function violates(error: unknown, constraint: string): boolean {
  return isUniqueViolation(error) && 'constraint' in error && error.constraint === constraint;
}

/** The same under whatever constraint. */
export function isUniqueViolation(error: unknown): error is Error {
  return codeOf(error) === '23505';
}
