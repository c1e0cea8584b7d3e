import { findSameBookings, type BookingToFind } from '../../db/appointments/find-same-bookings.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { plainName } from '../../domain/appointments/plain-name.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { AsSeen } from './plan-booking.ts';

/**
 * The refusal of what is booked already: the same patient, service, professional and start, whoever asked for it; null when
 * it is not. Whoever repeats a request whose answer was lost learns that it was done. docs/appointments.md#booked-already
 */
export async function alreadyBooked(
  em: EntityManager,
  wanted: BookingToFind & { patientName: string; asSeen?: AsSeen },
): Promise<ServiceError | null> {
  const name = plainName(wanted.patientName);
  const same = (await findSameBookings(em, wanted)).find(
    ({ patientName }) => plainName(patientName) === name,
  );
  if (!same) return null;
  const appointment = wanted.asSeen?.(same);
  const message = 'The patient has this very appointment already.';
  return new ServiceError('already_booked', message, {
    extras: { appointmentId: same.id, ...(appointment && { appointment }) },
  });
}
