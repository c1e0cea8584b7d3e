import { z } from 'zod';
import type { Contract } from './define-contracts.ts';

/** Whether a request may carry an `Idempotency-Key`: it changes something, and repeated it might change it twice. */
export function takesIdempotencyKey({ method, access, isQuery }: Contract): boolean {
  return (method === 'POST' || method === 'PATCH') && access !== 'public' && !isQuery;
}

/** The refusals that a command decides on; all others say that the same request may fare better later. */
const KEPT_REFUSALS = new Set([404, 409, 412, 422]);

/** Whether an answer with this status is kept for the twins of its request. */
export function isKeptAnswer(status: number): boolean {
  return status < 300 || KEPT_REFUSALS.has(status);
}

/** The contract with the `Idempotency-Key` header, when it may carry one. */
export function withIdempotencyKey(contract: Contract): Contract {
  if (!takesIdempotencyKey(contract)) return contract;
  const { request } = contract;
  const headers = (request.headers ?? z.object({})).extend({ 'idempotency-key': idempotencyKey });
  return { ...contract, request: { ...request, headers } };
}

/** docs/idempotency.md#the-key */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .optional()
  .meta({
    description:
      'Makes the request safe to repeat for 24 hours: the same key and request get the first answer again, with ' +
      '`Idempotency-Replayed: true`. Another request under the same key is refused, so make a new key, such as a random ' +
      'UUID, for each.',
  });
