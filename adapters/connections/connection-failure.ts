import { types } from 'node:util';
import { errorCode } from '../error-code.ts';

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
