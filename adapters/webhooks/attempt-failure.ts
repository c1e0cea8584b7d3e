import { isNativeError } from 'node:util/types';
import { errors } from 'undici';
import { errorCode } from '../error-code.ts';
import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';

/** An attempt that went wrong at a known place. The cause is for operators; clinics see the class only. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, message: string, cause?: unknown) {
    super(message, { cause });
    this.errorClass = errorClass;
  }
}

/** Nothing was sent: when the request could begin, it might no longer. */
export class AttemptNotBegun extends Error {
  override readonly name = 'AttemptNotBegun';
}

/** This process ran out of something, was shut down, or called the HTTP client wrongly. */
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

/** A fault that must not be counted against the receiver: thrown, so that the attempt is made again. */
export function isOurFault(error: unknown): boolean {
  if (error instanceof AttemptFailure || isNotHttp(error)) return false;
  const code = errorCode(error);
  return code === '' || OUR_FAULTS.has(code);
}

/** The class of an error that came before a connection was ready. */
export function connectErrorClass(error: unknown): ErrorClass {
  if (errorCode(error) === 'ETIMEDOUT') return 'connect_timeout';
  const isOfConnect = isNativeError(error) && 'syscall' in error && error.syscall === 'connect';
  return isOfConnect ? 'connect_error' : 'tls_error';
}

/** The class of an error that came after the request went out and before the answer's headers were complete. */
export function exchangeErrorClass(error: unknown): ErrorClass {
  if (error instanceof AttemptFailure) return error.errorClass;
  const code = errorCode(error);
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'tls_error';
  return isNotHttp(error) ? 'invalid_response' : 'connection_lost';
}

/** What the HTTP parser refuses. An answer of 100 or 101 that no one asked for is told apart by its message alone. */
function isNotHttp(error: unknown): boolean {
  if (error instanceof errors.SocketError) return ['bad response', 'bad upgrade'].includes(error.message);
  return [
    errors.HTTPParserError,
    errors.HeadersOverflowError,
    errors.ResponseContentLengthMismatchError,
  ].some((kind) => error instanceof kind);
}
