import { HOLDS_OF_PATIENTS, SELF_SERVICE_LIMITS } from '../../domain/rate-limits.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Guest } from './guest.ts';

/**
 * Counts a booking, a move or a cancellation against the address it comes from, wherever it is made.
 * @throws ServiceError `rate_limited`
 */
export async function countChange(guest: Guest): Promise<void> {
  if (guest.isUnlimited) return;
  const { isAccepted, retryAfterMs } = await guest.count(`changes:${guest.address}`, SELF_SERVICE_LIMITS);
  if (isAccepted) return;
  throw new ServiceError('rate_limited', 'This address has booked or changed as much as one may.', {
    headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
  });
}

/** Counts a hold: one address may not have many, nor all patients together so many that nobody else finds a time. */
export async function mayHold(guest: Guest): Promise<boolean> {
  if (guest.isUnlimited) return true;
  const ofAddress = await guest.count(`holds:${guest.address}`, SELF_SERVICE_LIMITS);
  if (!ofAddress.isAccepted) return false;
  return (await guest.count(`holds:${guest.clinic.id}`, HOLDS_OF_PATIENTS)).isAccepted;
}
