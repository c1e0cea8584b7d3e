import type { Contract } from './define-contracts.ts';
import { isKeptAnswer, isRepeatable } from './repeatable.ts';
import { RATE_LIMIT_HEADERS, type ResponseHeader } from './response-headers.ts';

/** The headers that an answer may carry whatever its route does. */
export function answerHeaders(contract: Contract, status: number): ResponseHeader[] {
  return [
    'X-Request-Id',
    ...(contract.access === 'public' ? [] : RATE_LIMIT_HEADERS),
    ...(isRepeatable(contract) && isKeptAnswer(status) ? (['Idempotency-Replayed'] as const) : []),
  ];
}
