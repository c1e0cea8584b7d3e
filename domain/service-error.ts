import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';

/** One field that was wrong: `path` reads `body.startsAt`, `query.limit`, `path.id`. */
export interface FieldProblem {
  path: string;
  message: string;
}

export interface ServiceErrorDetails {
  /** Field-level problems, all of them at once. */
  errors?: FieldProblem[];
  /** Facts that stand at the top of the error body beside `error` and `message`. */
  extras?: Record<string, unknown>;
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
}

/** The one error that a caller may see. Its message never holds patient data or another clinic's facts. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ServiceErrorDetails;

  constructor(code: ErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** 422 for one field that parses but breaks a rule. */
export function fieldError(path: string, message: string, code: ErrorCode = 'validation_failed') {
  return new ServiceError(code, message, { errors: [{ path, message }] });
}

/** 429. @param waitMs until it may be tried again */
export function rateLimited(message: string, waitMs: number): ServiceError {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
  return new ServiceError('rate_limited', message, { headers });
}

/** 404: there is no such thing, or none that the caller may see. */
export function notFound(what: string, id: string): ServiceError {
  return new ServiceError('not_found', `There is no ${what} with the ID ${id}.`);
}
