import { countSelfBooked } from '../../db/appointments/self-booked.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import type { BookAppointment } from '../appointments/plan-booking.ts';
import type { CommandContext } from '../command-context.ts';

/** Bookings a phone may make by itself within a day. */
const MOST_A_DAY = 5;

export interface BookByPatient extends Pick<
  BookAppointment,
  | 'id'
  | 'tenantId'
  | 'professionalId'
  | 'serviceTypeId'
  | 'patientName'
  | 'patientPhoneHash'
  | 'startsAt'
  | 'timings'
> {
  /** Whether a phone may book as often as it likes: RATE_LIMITS_DISABLED. */
  isUnlimited: boolean;
}

/**
 * Books for a patient who does it alone. That the time is one of those offered is for the page to see to.
 * Errors: `rate_limited` and those of `bookAppointment`.
 */
export async function bookByPatient(
  em: EntityManager,
  { isUnlimited, ...input }: BookByPatient,
  context: Omit<CommandContext, 'actor'>,
): Promise<AppointmentRow> {
  if (!isUnlimited && (await countSelfBooked(em, input)) >= MOST_A_DAY) throw tooMany();
  const booking: BookAppointment = {
    ...input,
    source: 'self_service',
    patientExternalId: null,
    patientNotes: null,
    metadata: null,
    externalId: null,
    callId: null,
    mayBackdate: false,
  };
  return bookAppointment(em, booking, { ...context, actor: 'patient' });
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', 'This phone has booked as often today as one may.', {
    headers: { 'Retry-After': '86400' },
  });
}
