import type { StoredApiKey } from '../../../db/clinic/find-api-key.ts';
import { parseApiKey, type ParsedApiKey } from '../../../domain/clinic/api-key.ts';
import { isSameSecret } from '../../../domain/encryption/proofs.ts';
import { KEY_REALM, refusedKey } from '../../../domain/clinic/refused-key.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { ServiceMode } from '../../../domain/service-mode.ts';
import type { Caller } from '../../contract/caller.ts';

const BEARER_FORM = /^Bearer +(\S+) *$/i;

/** The key in an `Authorization` header, or why it cannot be one: docs/keys-and-scopes.md#keys */
export function readApiKey(authorization: string, mode: ServiceMode): ParsedApiKey | ServiceError {
  const text = BEARER_FORM.exec(authorization)?.[1];
  if (!text) {
    return new ServiceError('missing_api_key', 'Send your API key as "Authorization: Bearer <key>".', {
      headers: { 'WWW-Authenticate': KEY_REALM },
    });
  }
  const key = parseApiKey(text);
  if (!key) return refusedKey('invalid_api_key', 'This is not an API key of this service.');
  if (key.mode !== mode) {
    return refusedKey(
      'invalid_api_key',
      `This is a ${key.mode} key; this deployment takes ${mode} keys only.`,
    );
  }
  return key;
}

/** Whom a presented key speaks for, or why it is not good. */
export function callerOf(presented: ParsedApiKey, stored: StoredApiKey | null): Caller | ServiceError {
  if (!stored || !isSameSecret(presented.secretHash, stored.secretHash)) {
    return refusedKey('invalid_api_key', 'This API key does not exist.');
  }
  if (stored.isRevoked) return refusedKey('api_key_revoked', 'This API key was revoked.');
  if (stored.isExpired) return refusedKey('api_key_expired', 'This API key has expired.');
  if (stored.isClinicCanceled) {
    return new ServiceError('clinic_inactive', 'The contract of this clinic has ended.', {
      headers: { 'WWW-Authenticate': KEY_REALM },
    });
  }
  return { keyId: stored.id, tenantId: stored.tenantId, scopes: stored.scopes };
}
