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
 * From a server that accepts no writes: a standby or a demoted primary. 25006: a write; 0A000: a table that standbys do
 * not have, or a plan outdated by a migration, which passes too.
 */
const REFUSED_WRITE = /^(25006|0A000)$/;

/** From a server that then closes the connection: a shutdown, a termination, or an idle timeout. */
const CLOSED = /^(57P0[1-5]|25P03)$/;

/** SQLSTATE classes: 08 connection, 53 resources; 57014: timeout; 40001, 40P01 and 55P03: try again. */
const PASSING_STATE = /^(08...|53...|57014|40001|40P01|55P03)$/;

/** Driver messages for a lost or unavailable connection, which have no code. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
];

/** Too many wait for the database, or for too long. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/**
 * Whether the database is temporarily unusable (unavailable, overloaded, too slow, deadlock, read-only), so that the
 * same request may succeed later. Nothing is retried here: requests get a 503; workflow activities and the outbox try
 * again.
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

/** The same for any constraint. */
export function isUniqueViolation(error: unknown): error is Error {
  return codeOf(error) === '23505';
}
