import { createHash } from 'node:crypto';
import type { IdempotentRequest } from '../../../commands/requests/stored-answers.ts';
import type { Caller } from '../../contract/caller.ts';
import { type Contract, takesIdempotencyKey } from '../../contract/define-contracts.ts';
import type { ApiContext } from '../request-state.ts';

/** Identifies a checked request with an `Idempotency-Key`; null when it has none. */
export function idempotentRequest(
  contract: Contract,
  { method, path, headers, state }: ApiContext,
  body: unknown,
): IdempotentRequest | null {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !state.caller) return null;
  if (!takesIdempotencyKey(contract) || contract.looksUpKey) return null;
  const ifMatch = headers['if-match']?.replace(/^W\//, '');
  const onlyFor = audienceOf(contract, state.caller);
  const fingerprint = requestFingerprint({ method, path, body, ifMatch, onlyFor });
  return { tenantId: state.caller.tenantId, key, fingerprint };
}

/** Which API keys may receive the stored response again; undefined: every key of the clinic. */
function audienceOf({ showsSecret }: Contract, { keyId }: Caller): string | undefined {
  return showsSecret ? keyId : undefined;
}

export interface FingerprintedRequest {
  method: string;
  path: string;
  /** The parsed body, before the schema was applied. */
  body: unknown;
  ifMatch: string | undefined;
  /** The only API key that may receive the response, or a property that all allowed keys share. */
  onlyFor?: string | undefined;
}

/** Equal for two requests with the same meaning; key order and spacing of the JSON do not matter. */
export function requestFingerprint({ method, path, body, ifMatch, onlyFor }: FingerprintedRequest): string {
  const said = [method, path, keySorted(body), ifMatch ?? null];
  const text = JSON.stringify(onlyFor === undefined ? said : [...said, onlyFor]);
  return createHash('sha256').update(text).digest('base64url');
}

function keySorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keySorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, keySorted(member)]));
}
