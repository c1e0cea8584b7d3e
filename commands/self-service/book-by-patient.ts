import { countSelfBooked } from '../../db/appointments/self-booked.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import type { BookAppointment } from '../appointments/plan-booking.ts';
import type { CommandContext } from '../command-context.ts';

/** Bookings that patients make by themselves: docs/self-service.md#limits */
const MOST = { byPhoneInADay: 5, byClinicInAnHour: 60, byClinicInADay: 300 };

/** What no patient says of a booking. */
const OF_PATIENTS = {
  source: 'self_service',
  patientExternalId: null,
  patientNotes: null,
  metadata: null,
  externalId: null,
  callId: null,
  mayBackdate: false,
} as const;

export interface BookByPatient extends Omit<BookAppointment, keyof typeof OF_PATIENTS> {
  /** `patientPhoneHash` as it may stand in earlier rows. */
  patientPhoneHashes: readonly string[];
  /** Whether phone and clinic book as often as they like: RATE_LIMITS_DISABLED. */
  isUnlimited: boolean;
}

/**
 * Books for a patient who does it alone. That the time is one of those offered is for the page to see to, that the clinic lets patients
 * book for `db/clinic/find-public-clinic.ts`.
 * Errors: `rate_limited` and those of `bookAppointment`.
 */
export async function bookByPatient(
  em: EntityManager,
  { isUnlimited, patientPhoneHashes, ...input }: BookByPatient,
  context: Omit<CommandContext, 'actor'>,
): Promise<AppointmentRow> {
  if (!isUnlimited) await requireRoom(em, { tenantId: input.tenantId, patientPhoneHashes });
  return bookAppointment(em, { ...input, ...OF_PATIENTS }, { ...context, actor: 'patient' });
}

/** One refusal for all: whoever tries phones learns nothing about them. */
async function requireRoom(em: EntityManager, input: Pick<BookByPatient, 'tenantId' | 'patientPhoneHashes'>) {
  const booked = await countSelfBooked(em, input);
  const isFull = (Object.keys(MOST) as (keyof typeof MOST)[]).some((limit) => booked[limit] >= MOST[limit]);
  if (isFull) throw new ServiceError('rate_limited', 'No more can be booked by patients themselves for now.');
}
