import type { ErrorCode } from '../error-codes.ts';
import { ServiceError } from '../service-error.ts';

export const KEY_REALM = 'Bearer realm="clinic"';

/** Why a key opens nothing, at the door or once it has ended while it asks: RFC 6750, section 3.1 */
export function refusedKey(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, {
    headers: { 'WWW-Authenticate': `${KEY_REALM}, error="invalid_token", error_description="${message}"` },
  });
}
