import type { Logger } from '../../../adapters/logs/logger.ts';
import { SecretUnreadableError } from '../../../domain/encryption/text-cipher.ts';
import { isPassingFailure } from '../../../db/connection/database-errors.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { setAnswer, toldOf } from './set-answer.ts';
import type { ErrorAnswer } from '../../contract/define-contracts.ts';
import type { ApiContext, Next } from '../request-state.ts';

const RETRY_AFTER_SECONDS = 2;

/** Turns every error into a response. Anything but a ServiceError is logged and reveals nothing. */
export function translateErrors(logger: Logger) {
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const { requestId, route } = ctx.state;
      const refusal = toServiceError(error);
      if (refusal !== error)
        logger.error({ requestId, method: ctx.method, route, err: error }, 'request.failed');
      await setError(ctx, errorAnswer(refusal, requestId));
    }
  };
}

async function setError(ctx: ApiContext, error: ErrorAnswer): Promise<void> {
  const { errorForm } = ctx.state;
  await setAnswer(ctx, errorForm ? errorForm(error) : error);
  ctx.state.told = toldOf(error.body);
}

export function errorAnswer(
  error: ServiceError,
  requestId: string,
): ErrorAnswer & { body: Record<string, unknown> } {
  const { errors, extras, headers } = error.details;
  return {
    status: error.status,
    headers,
    body: { error: error.code, message: error.message, requestId, ...(errors && { errors }), ...extras },
  };
}

export function temporarilyUnavailable(message: string): ServiceError {
  return new ServiceError('temporarily_unavailable', message, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isPassingFailure(error))
    return temporarilyUnavailable('The service is unavailable. Try again shortly.');
  if (error instanceof SecretUnreadableError)
    return temporarilyUnavailable('This data cannot be decrypted at the moment. Try again later.');
  return new ServiceError(
    'internal_error',
    'Something went wrong on our side. Try again, or contact support with the request ID.',
  );
}
