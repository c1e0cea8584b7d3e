import type { Contract } from '../../contract/define-contracts.ts';
import { isRepeatable } from '../../contract/repeatable.ts';
import type { RepeatableRequest } from './answer-once.ts';
import { requestFingerprint } from './request-fingerprint.ts';
import type { ApiContext } from '../request-state.ts';

/** What a checked request with an `Idempotency-Key` is known by; null when it has none. */
export function repeatableRequest(
  contract: Contract,
  ctx: ApiContext,
  body: unknown,
): RepeatableRequest | null {
  const { method, path, headers, state } = ctx;
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || !state.caller || !isRepeatable(contract)) return null;
  const fingerprint = requestFingerprint({ method, path, body, ifMatch: headers['if-match'] });
  return { tenantId: state.caller.tenantId, key, fingerprint };
}
