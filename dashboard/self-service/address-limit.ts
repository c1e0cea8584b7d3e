import { CHANGES_OF_ADDRESS, HOLDS_OF_ADDRESS, HOLDS_OF_PATIENTS } from '../../domain/rate-limits.ts';
import { rateLimited } from '../../domain/service-error.ts';
import type { Guest } from './guest.ts';

/**
 * Books, moves or cancels, and counts the change for the client's address. It is counted before it runs, so that
 * parallel requests cannot exceed the limit; a refused change is not counted.
 * @throws ServiceError `rate_limited`
 */
export async function countChange<Made>(guest: Guest, make: () => Promise<Made>): Promise<Made> {
  if (guest.isUnlimited) return make();
  const subject = `changes:${guest.address}`;
  const { isAccepted, retryAfterMs } = await guest.count(subject, CHANGES_OF_ADDRESS);
  if (!isAccepted)
    throw rateLimited('Too many bookings or changes were made from this address.', retryAfterMs);
  try {
    return await make();
  } catch (error) {
    await guest.uncount(subject);
    throw error;
  }
}

/** Counts a hold against the limits of the address and of all the clinic's patients. */
export async function mayHold(guest: Guest): Promise<boolean> {
  if (guest.isUnlimited) return true;
  const ofAddress = await guest.count(`holds:${guest.address}`, HOLDS_OF_ADDRESS);
  if (!ofAddress.isAccepted) return false;
  return (await guest.count(`holds:${guest.clinic.id}`, HOLDS_OF_PATIENTS)).isAccepted;
}
