import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { clientAddress } from '../../../adapters/connections/client-address.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { admitRequests, type Admission, type AskingRequest } from '../../../db/requests/admit-request.ts';
import { findApiKeys, type PresentedKey, type StoredApiKey } from '../../../db/clinic/find-api-key.ts';
import type { CountedRequest } from '../../../db/requests/rate-limit.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { ServiceMode } from '../../../domain/service-mode.ts';
import type { Caller, KeyOfRequest } from '../../contract/caller.ts';
import { rememberRefusals, type Ask } from './refusal-memory.ts';
import { parseApiKey, type ParsedApiKey } from '../../../domain/clinic/api-key.ts';
import { isSameSecret } from '../../../domain/encryption/proofs.ts';
import { KEY_REALM, refusedKey } from '../../../domain/clinic/refused-key.ts';

/**
 * A request that is at most this much too early waits instead of being refused; otherwise network jitter would cause
 * refusals for a client that sends exactly 30 per second. The limits stay exact, because the request is counted when it
 * is admitted.
 */
const PATIENCE_MS = 50;

export interface Admitted {
  /** The caller, or the refusal: 401 or 429. */
  outcome: Caller | ServiceError;
  /** Null for an invalid key. */
  key: KeyOfRequest | null;
  /** Rate limit headers, also of refusals; `run-route.ts` sets them. */
  headers: Record<string, string>;
}

export type Admit = (request: IncomingMessage) => Promise<Admitted>;

export interface AdmitOptions {
  database: Database;
  mode: ServiceMode;
  /** TRUSTED_PROXY_HOPS */
  trustedHops: number;
  now: () => Date;
}

/**
 * Authenticates a request and counts it: with a valid key against the limits of the key, otherwise against the limit of
 * the address.
 */
export function createAdmit({ database, mode, trustedHops, now }: AdmitOptions): Admit {
  const ask = rememberRefusals(
    database.batcher('admission', (requests: readonly AskingRequest[]) =>
      admitRequests(database.admission(), requests, now()),
    ),
  );
  return async (request) => {
    const address = clientAddress(request, trustedHops);
    const presented = readApiKey(request.headers.authorization ?? '', mode);
    if (presented instanceof ServiceError) {
      const { counted } = await ask({ key: null, address });
      return admitted(presented, null, counted);
    }
    const { stored, isKeyValid, counted } = await askPatiently(ask, { key: presented, address });
    return admitted(callerOf(presented, stored), isKeyValid ? stored : null, counted);
  };
}

/** For RATE_LIMITS_DISABLED: only authenticates, and sends no rate limit headers. */
export function createAdmitUnlimited({ database, mode, now }: Omit<AdmitOptions, 'trustedHops'>): Admit {
  const findTogether = database.batcher('admission', (keys: readonly PresentedKey[]) =>
    findApiKeys(database.admission(), keys, now()),
  );
  return async (request) => {
    const presented = readApiKey(request.headers.authorization ?? '', mode);
    if (presented instanceof ServiceError) return { outcome: presented, key: null, headers: {} };
    const outcome = callerOf(presented, await findTogether(presented));
    return { outcome, key: outcome instanceof ServiceError ? null : outcome, headers: {} };
  };
}

async function askPatiently(ask: Ask, request: AskingRequest): Promise<Admission> {
  let admission = await ask(request);
  const until = performance.now() + PATIENCE_MS;
  const isAlmost = ({ isKeyValid, counted }: Admission) =>
    isKeyValid && !counted.isAccepted && performance.now() + counted.retryAfterMs <= until;
  while (isAlmost(admission)) {
    await delay(Math.ceil(admission.counted.retryAfterMs));
    admission = await ask(request);
  }
  return admission;
}

function admitted(outcome: Caller | ServiceError, stored: StoredApiKey | null, counted: CountedRequest) {
  const headers = rateLimitHeaders(counted);
  const key = stored && { keyId: stored.id, tenantId: stored.tenantId };
  return { outcome: counted.isAccepted ? outcome : rateLimited(counted), key, headers };
}

function rateLimited({ retryAfterMs }: CountedRequest): ServiceError {
  const seconds = wholeSeconds(retryAfterMs);
  return new ServiceError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * `RateLimit-Policy` and `RateLimit` of the IETF draft (draft-ietf-httpapi-ratelimit-headers, structured fields), and
 * the older `X-RateLimit-*` for the one-minute window. The refusal itself has `Retry-After`. Resets are rounded up, so
 * waiting for one frees at least one request.
 */
function rateLimitHeaders({ countedAt, windows }: CountedRequest): Record<string, string> {
  const [first] = windows;
  if (!first) return {};
  const resetAtMs = countedAt.getTime() + first.resetsInMs;
  return {
    'RateLimit-Policy': windows
      .map(({ limit: { name, requests, windowSeconds } }) => `"${name}";q=${requests};w=${windowSeconds}`)
      .join(', '),
    RateLimit: windows
      .map(
        ({ limit, remaining, resetsInMs }) => `"${limit.name}";r=${remaining};t=${wholeSeconds(resetsInMs)}`,
      )
      .join(', '),
    'X-RateLimit-Limit': String(first.limit.requests),
    'X-RateLimit-Remaining': String(first.remaining),
    'X-RateLimit-Reset': String(wholeSeconds(resetAtMs)),
  };
}

/** Rounded up, so that a client that waits this long is never too early. */
function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

const BEARER_FORM = /^Bearer +(\S+) *$/i;

/** The key in an `Authorization` header, or the reason why it is invalid: docs/keys-and-scopes.md#keys */
function readApiKey(authorization: string, mode: ServiceMode): ParsedApiKey | ServiceError {
  const text = BEARER_FORM.exec(authorization)?.[1];
  if (!text) {
    return new ServiceError(
      'missing_api_key',
      'Send your API key in the header "Authorization: Bearer <key>".',
      {
        headers: { 'WWW-Authenticate': KEY_REALM },
      },
    );
  }
  const key = parseApiKey(text);
  if (!key)
    return refusedKey(
      'invalid_api_key',
      'This is not an API key of this service. Check that you copied all of it.',
    );
  if (key.mode !== mode) {
    return refusedKey(
      'invalid_api_key',
      `This is a ${key.mode} key; this deployment accepts only ${mode} keys.`,
    );
  }
  return key;
}

/** The caller behind a key, or the reason why the key is refused. */
function callerOf(presented: ParsedApiKey, stored: StoredApiKey | null): Caller | ServiceError {
  if (!stored || !isSameSecret(presented.secretHash, stored.secretHash)) {
    return refusedKey('invalid_api_key', 'This API key does not exist. Check that you copied all of it.');
  }
  if (stored.isRevoked) return refusedKey('api_key_revoked', 'This API key was revoked. Use another key.');
  if (stored.isExpired) return refusedKey('api_key_expired', 'This API key has expired. Use another key.');
  if (stored.isClinicCanceled) {
    return new ServiceError('clinic_inactive', 'This clinic’s subscription is cancelled.', {
      headers: { 'WWW-Authenticate': KEY_REALM },
    });
  }
  return { keyId: stored.id, tenantId: stored.tenantId, scopes: stored.scopes };
}
