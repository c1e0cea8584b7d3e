import type { ErrorCode } from '../../domain/error-codes.ts';
import { type Contract, isStoredAnswer, takesIdempotencyKey } from './define-contracts.ts';
import { RATE_LIMIT_HEADERS, type ResponseHeader } from './response-headers.ts';

/** The error codes that any request with a key can return. */
const KEYED: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'api_key_expired',
  'api_key_revoked',
  'insufficient_scope',
  'clinic_inactive',
  'rate_limited',
];

/** Every error code a route can return: its own, plus those from access checks and request validation. */
export function possibleErrors(contract: Contract): ErrorCode[] {
  const { request, access } = contract;
  const isKeyed = access !== 'public';
  const codes: (ErrorCode | false)[] = [
    'malformed_request',
    ...(request.body ? (['malformed_json'] as const) : []),
    ...((request.body ?? request.stream) ? (['unsupported_media_type', 'payload_too_large'] as const) : []),
    ...(request.stream ? (['request_timeout'] as const) : []),
    ...(isKeyed ? KEYED : []),
    (isKeyed || request.path !== undefined) && !contract.errorForm && 'validation_failed',
    ...(takesIdempotencyKey(contract) && !contract.looksUpKey
      ? (['idempotency_key_reused', 'idempotency_in_progress'] as const)
      : []),
    ...(contract.errors ?? []),
    'internal_error',
    'temporarily_unavailable',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

/** The headers that a response may carry, whatever its route. */
export function answerHeaders(contract: Contract, status: number): ResponseHeader[] {
  const mayBeReplayed = takesIdempotencyKey(contract) && isStoredAnswer(status);
  return [
    'X-Request-Id',
    ...(contract.access === 'public' ? [] : RATE_LIMIT_HEADERS),
    ...(mayBeReplayed ? (['Idempotency-Replayed'] as const) : []),
  ];
}
