import { isNativeError } from 'node:util/types';
import { errors } from 'undici';
import { tlsFaultOf, type TlsFault } from '../../domain/webhooks/tls-fault.ts';
import { errorCode } from '../error-code.ts';
import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';

/** An attempt that failed in a known phase. Operators see the cause; clinics see only the class. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, message: string, cause?: unknown) {
    super(message, { cause });
    this.errorClass = errorClass;
  }
}

/** An attempt of which nothing was sent: when the request was ready, it was no longer allowed to start. */
export class AttemptNotBegun extends Error {
  override readonly name = 'AttemptNotBegun';
}

/** Codes for a resource shortage, a shutdown, or wrong use of the HTTP client. */
const OUR_FAULTS = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EADDRNOTAVAIL',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

/**
 * Whether an error is our fault and must not count against the receiver. Such an error is thrown, so that the attempt
 * is repeated.
 */
export function isOurFault(error: unknown): boolean {
  if (error instanceof AttemptFailure || isNotHttp(error)) return false;
  const code = errorCode(error);
  return code === '' || OUR_FAULTS.has(code);
}

/** The class of an error before the connection was ready. */
export function connectErrorClass(error: unknown): ErrorClass {
  if (errorCode(error) === 'ETIMEDOUT') return 'connect_timeout';
  const isOfConnect = isNativeError(error) && 'syscall' in error && error.syscall === 'connect';
  return isOfConnect ? 'connect_error' : 'tls_error';
}

/** The class of an error after the request was sent and before the response headers were complete. */
export function exchangeErrorClass(error: unknown): ErrorClass {
  if (error instanceof AttemptFailure) return error.errorClass;
  const code = errorCode(error);
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'tls_error';
  return isNotHttp(error) ? 'invalid_response' : 'connection_lost';
}

/** What was wrong with TLS according to the error or its cause; null when neither says it. */
export function tlsFaultIn(error: unknown): TlsFault | null {
  const cause = isNativeError(error) && error.cause !== undefined ? error.cause : error;
  return tlsFaultOf({ code: errorCode(cause), message: isNativeError(cause) ? cause.message : '' });
}

/**
 * Whether the HTTP parser refused the response. Unexpected 100 or 101 responses can only be recognised by the message.
 */
function isNotHttp(error: unknown): boolean {
  if (error instanceof errors.SocketError) return ['bad response', 'bad upgrade'].includes(error.message);
  return [
    errors.HTTPParserError,
    errors.HeadersOverflowError,
    errors.ResponseContentLengthMismatchError,
  ].some((kind) => error instanceof kind);
}
