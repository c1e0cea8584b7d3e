import { findSameBooking, type BookingToFind } from '../../db/appointments/find-same-booking.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { AsSeen } from './plan-booking.ts';

/**
 * The refusal of what is booked already: the same patient, service, professional and start, whoever asked for it; null when
 * it is not. Whoever repeats a request whose answer was lost learns that it was done. docs/appointments.md#booked-already
 */
export async function alreadyBooked(
  em: EntityManager,
  wanted: BookingToFind & { asSeen?: AsSeen },
): Promise<ServiceError | null> {
  const same = await findSameBooking(em, wanted);
  if (!same) return null;
  const appointment = wanted.asSeen?.(same);
  return new ServiceError('already_booked', 'The patient has this very appointment already.', {
    extras: { appointmentId: same.id, ...(appointment && { appointment }) },
  });
}
