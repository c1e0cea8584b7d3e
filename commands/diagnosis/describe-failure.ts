import { ConfigError } from '../../adapters/config/read-config.ts';
import { errorCode } from '../../adapters/error-code.ts';
import { describeError } from '../../adapters/logs/describe-error.ts';
import { UnreleasedSchemaError } from '../../db/unreleased-schema.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Describes an error: our own messages in full, and of other errors only parts that cannot contain data from rows. */
export function describeFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof UnreleasedSchemaError) return error.message;
  if (error instanceof ServiceError) return `${error.message} (${error.code})`;
  const unreachable = connectionProblem(error);
  if (unreachable !== null) return `The database does not respond: ${unreachable}`;
  return `Unexpected failure: ${JSON.stringify(describeError(error))}`;
}

/** The message of PostgreSQL or the network about a failed connection; null for other errors. */
function connectionProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // File errors contain their path.
  const isNetwork =
    ('syscall' in error && !('path' in error)) ||
    /connection t(erminated|imeout)|timeout exceeded/i.test(error.message);
  if (isNetwork || isLoginRefusal(error)) return error.message;
  if (error instanceof AggregateError) return connectionProblem(error.errors[0]);
  return connectionProblem(error.cause);
}

/**
 * SQLSTATE class 28 (authorization), 3D000 (no such database), 57P03 (starting up). Their messages contain only account
 * and database.
 */
function isLoginRefusal(error: Error): boolean {
  return /^(28...|3D000|57P03)$/.test(errorCode(error));
}
