import { types } from 'node:util';

/** Socket errors, before PostgreSQL could answer. */
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

/** This process or machine has no file descriptors left. */
const NO_DESCRIPTOR = new Set(['EMFILE', 'ENFILE']);

/**
 * SQLSTATEs of a server that does not accept writes: a standby or a demoted primary. 25006: a write was refused. 0A000:
 * the table is not available on standbys; also a plan that a migration has made outdated, which is temporary too.
 */
const REFUSED_WRITE = /^(25006|0A000)$/;

/** SQLSTATEs after which the server closes the connection: a shutdown, a termination, or an idle timeout. */
const CLOSED = /^(57P0[1-5]|25P03)$/;

/** SQLSTATE classes: 08 connection, 53 resources; 57014: timeout; 40001, 40P01 and 55P03: try again. */
const PASSING_STATE = /^(08...|53...|57014|40001|40P01|55P03)$/;

/** Driver messages for a lost or unavailable connection, which have no code. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
];

/** Thrown when too many requests wait for the database, or when a request has waited too long. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/**
 * Whether the database is temporarily unusable (unavailable, overloaded, too slow, deadlock, read-only), so that the
 * same request may succeed later. Requests then return 503; workflow activities and the outbox try again.
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

/** Whether a new connection may help: the server refused a write, or is closing this connection. */
export function wantsAnotherConnection(error: unknown): boolean {
  const code = codeOf(error);
  return REFUSED_WRITE.test(code) || CLOSED.test(code);
}

/** The SQLSTATE or socket error code; empty without one. */
export function codeOf(error: unknown): string {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether `error` is a unique violation (SQLSTATE 23505) of this constraint or index. */
export function violates(error: unknown, constraint: string): boolean {
  return isUniqueViolation(error) && 'constraint' in error && error.constraint === constraint;
}

/** Whether `error` is a unique violation of any constraint. */
export function isUniqueViolation(error: unknown): error is Error {
  return codeOf(error) === '23505';
}
