import type { ErrorCode } from '../error-codes.ts';
import type { Scope } from './api-scopes.ts';
import { ServiceError } from '../service-error.ts';

export const KEY_REALM = 'Bearer realm="clinic"';

/** A 401 for a key, also if it expires or is revoked during the request: RFC 6750, section 3.1 */
export function refusedKey(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, {
    headers: { 'WWW-Authenticate': `${KEY_REALM}, error="invalid_token", error_description="${message}"` },
  });
}

/** A 403 for a valid key. @param required every scope that is needed */
export function insufficientScope(message: string, required: readonly Scope[]): ServiceError {
  const scope = required.join(' ');
  return new ServiceError('insufficient_scope', message, {
    extras: { requiredScopes: required },
    headers: { 'WWW-Authenticate': `${KEY_REALM}, error="insufficient_scope", scope="${scope}"` },
  });
}
