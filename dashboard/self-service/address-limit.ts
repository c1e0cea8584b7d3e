import { CHANGES_OF_ADDRESS, HOLDS_OF_ADDRESS, HOLDS_OF_PATIENTS } from '../../domain/rate-limits.ts';
import { rateLimited } from '../../domain/service-error.ts';
import type { Guest } from './guest.ts';

/**
 * Makes a booking, a move or a cancellation, and counts it against the address it comes from. It is counted before it is made, so that
 * many at once cannot pass together, and no longer once it is refused.
 * @throws ServiceError `rate_limited`
 */
export async function countChange<Made>(guest: Guest, make: () => Promise<Made>): Promise<Made> {
  if (guest.isUnlimited) return make();
  const subject = `changes:${guest.address}`;
  const { isAccepted, retryAfterMs } = await guest.count(subject, CHANGES_OF_ADDRESS);
  if (!isAccepted) throw rateLimited('Too much was booked or changed from this address.', retryAfterMs);
  try {
    return await make();
  } catch (error) {
    await guest.uncount(subject);
    throw error;
  }
}

/** Counts a hold: one address may not have many, nor all patients together so many that other patients find no time. */
export async function mayHold(guest: Guest): Promise<boolean> {
  if (guest.isUnlimited) return true;
  const ofAddress = await guest.count(`holds:${guest.address}`, HOLDS_OF_ADDRESS);
  if (!ofAddress.isAccepted) return false;
  return (await guest.count(`holds:${guest.clinic.id}`, HOLDS_OF_PATIENTS)).isAccepted;
}
