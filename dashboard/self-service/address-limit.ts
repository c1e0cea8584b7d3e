import { countRequest } from '../../db/requests/count-request.ts';
import { SELF_SERVICE_LIMITS } from '../../domain/rate-limits.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Guest } from './guest.ts';

/**
 * Counts a booking, a move or a cancellation against the address it comes from, wherever it is made.
 * @throws ServiceError `rate_limited`
 */
export async function countChange({ read, address, isUnlimited }: Guest): Promise<void> {
  if (isUnlimited) return;
  const { isAccepted, retryAfterMs } = await read((em) =>
    countRequest(em, `self-service:${address}`, SELF_SERVICE_LIMITS),
  );
  if (isAccepted) return;
  throw new ServiceError('rate_limited', 'This address has booked or changed as much as one may.', {
    headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
  });
}
