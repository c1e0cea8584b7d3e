import { countRequest } from '../../db/requests/count-request.ts';
import type { CountedRequest } from '../../db/requests/rate-limit.ts';
import { HOLDS_OF_PATIENTS, SELF_SERVICE_LIMITS, type RateLimit } from '../../domain/rate-limits.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Guest } from './guest.ts';

/**
 * Counts a booking, a move or a cancellation against the address it comes from, wherever it is made.
 * @throws ServiceError `rate_limited`
 */
export async function countChange(guest: Guest): Promise<void> {
  if (guest.isUnlimited) return;
  const { isAccepted, retryAfterMs } = await count(guest, `changes:${guest.address}`, SELF_SERVICE_LIMITS);
  if (isAccepted) return;
  throw new ServiceError('rate_limited', 'This address has booked or changed as much as one may.', {
    headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) },
  });
}

/** Counts a hold: one address may not have many, nor all patients together so many that nobody else finds a time. */
export async function mayHold(guest: Guest): Promise<boolean> {
  if (guest.isUnlimited) return true;
  const ofAddress = await count(guest, `holds:${guest.address}`, SELF_SERVICE_LIMITS);
  if (!ofAddress.isAccepted) return false;
  return (await count(guest, `holds:${guest.clinic.id}`, HOLDS_OF_PATIENTS)).isAccepted;
}

function count({ read }: Guest, subject: string, limits: readonly RateLimit[]): Promise<CountedRequest> {
  return read((em) => countRequest(em, `self-service:${subject}`, limits));
}
