import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';

/** The most problems in one response. More would not help, and a small request could cause a large response. */
export const MAX_PROBLEMS = 100;

/** One invalid field: `path` is for example `body.startsAt`, `query.limit`, `path.id`. */
export interface FieldProblem {
  path: string;
  message: string;
}

export interface ServiceErrorDetails {
  /** All field-level problems. */
  errors?: FieldProblem[];
  /** Extra fields of the error body, next to `error` and `message`. */
  extras?: Record<string, unknown>;
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
}

/** The only kind of error that callers see. Its message never contains patient data or facts about another clinic. */
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

/** 422 for one field that is well-formed but breaks a rule. */
export function fieldError(path: string, message: string, code: ErrorCode = 'validation_failed') {
  return new ServiceError(code, message, { errors: [{ path, message }] });
}

/** 429. @param waitMs time until a retry makes sense */
export function rateLimited(message: string, waitMs: number): ServiceError {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) };
  return new ServiceError('rate_limited', message, { headers });
}

/** 404 for something that does not exist, or that the caller may not see. */
export function notFound(what: string, id: string): ServiceError {
  return new ServiceError('not_found', `There is no ${what} with the ID ${id}.`);
}
