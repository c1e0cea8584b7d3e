import type { ErrorCode } from '../error-codes.ts';
import type { Scope } from './api-scopes.ts';
import { ServiceError } from '../service-error.ts';

export const KEY_REALM = 'Bearer realm="clinic"';

/** Why a key opens nothing, at the door or once it has ended while it asks: RFC 6750, section 3.1 */
export function refusedKey(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, {
    headers: { 'WWW-Authenticate': `${KEY_REALM}, error="invalid_token", error_description="${message}"` },
  });
}

/** Why a good key may not do something. @param required every scope that it needs */
export function insufficientScope(message: string, required: readonly Scope[]): ServiceError {
  const scope = required.join(' ');
  return new ServiceError('insufficient_scope', message, {
    extras: { requiredScopes: required },
    headers: { 'WWW-Authenticate': `${KEY_REALM}, error="insufficient_scope", scope="${scope}"` },
  });
}
