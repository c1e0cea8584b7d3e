import type { Database } from '../../db/open-database.ts';
import { findApiKey, type StoredApiKey } from '../../db/queries/find-api-key.ts';
import { isSameSecret, parseApiKey, type ParsedApiKey } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import type { Caller } from '../contract/caller.ts';

const REALM = 'Bearer realm="clinic"';
const BEARER_FORM = /^Bearer +(\S+) *$/i;

export interface AuthenticateOptions {
  database: Database;
  mode: ServiceMode;
}

export type Authenticate = (authorization: string | undefined, now: Date) => Promise<Caller>;

/** Finds whom an `Authorization` header speaks for, in one query. INTERFACE.md, "Authentication". */
export function createAuthenticate({ database, mode }: AuthenticateOptions): Authenticate {
  return async (authorization, now) => {
    const presented = readKey(authorization, mode);
    const stored = await findApiKey(database.read(), presented, now);
    return checkKey(presented, stored, now);
  };
}

function readKey(authorization: string | undefined, mode: ServiceMode): ParsedApiKey {
  const text = BEARER_FORM.exec(authorization ?? '')?.[1];
  if (!text) {
    throw new ServiceError('missing_api_key', 'Send your API key as "Authorization: Bearer <key>".', {
      headers: { 'WWW-Authenticate': REALM },
    });
  }
  const key = parseApiKey(text);
  if (!key) throw refusal('invalid_api_key', 'This is not an API key of this service.');
  if (key.mode !== mode) {
    throw refusal('invalid_api_key', `This is a ${key.mode} key; this deployment takes ${mode} keys only.`);
  }
  return key;
}

function checkKey(presented: ParsedApiKey, stored: StoredApiKey | null, now: Date): Caller {
  if (!stored || !isSameSecret(presented.secretHash, stored.secretHash)) {
    throw refusal('invalid_api_key', 'This API key does not exist.');
  }
  if (stored.revokedAt) throw refusal('api_key_revoked', 'This API key was revoked.');
  if (stored.expiresAt && stored.expiresAt <= now)
    throw refusal('api_key_expired', 'This API key has expired.');
  return { keyId: stored.id, tenantId: stored.tenantId, scopes: stored.scopes };
}

/** RFC 6750, section 3.1 */
function refusal(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, {
    headers: { 'WWW-Authenticate': `${REALM}, error="invalid_token", error_description="${message}"` },
  });
}
