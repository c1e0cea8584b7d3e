import {
  findSelfBookings,
  insertSelfBooking,
  type SelfBooker,
  type SelfBooking,
} from '../../db/appointments/self-booked.ts';
import { insertPatientEmail, type GivenEmail } from '../../db/self-service/patient-emails.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { PATIENT } from '../../domain/appointments/slot-hold.ts';
import { rateLimited } from '../../domain/service-error.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import type { BookAppointment } from '../appointments/plan-booking.ts';
import type { CommandContext } from '../command-context.ts';

const HOUR_MS = 3_600_000;

/** Limits for online bookings: docs/self-service.md#limits */
const LIMITS: readonly { most: number; withinMs: number; counts: (booking: SelfBooking) => boolean }[] = [
  { most: 60, withinMs: HOUR_MS, counts: () => true },
  { most: 300, withinMs: 24 * HOUR_MS, counts: () => true },
  { most: 15, withinMs: HOUR_MS, counts: ({ isOfAddress }) => isOfAddress },
  { most: 5, withinMs: 24 * HOUR_MS, counts: ({ isOfPhone }) => isOfPhone },
];

const OF_PATIENTS = { source: 'self_service', mayBackdate: false } as const;

export interface BookByPatient extends Omit<BookAppointment, keyof typeof OF_PATIENTS> {
  /** All hashes under which `patientPhoneHash` may be stored in earlier rows. */
  patientPhoneHashes: readonly string[];
  from: SelfBooker;
  /** Null without an address. */
  email: GivenEmail | null;
  /** RATE_LIMITS_DISABLED */
  isUnlimited: boolean;
}

/**
 * Books for a patient online. The page checks that the time was offered, and `db/clinic/clinic-of-guests.ts` that the
 * clinic allows it. Errors: `rate_limited` and those of `bookAppointment`.
 */
export async function bookByPatient(
  em: EntityManager,
  { isUnlimited, patientPhoneHashes, from, email, ...input }: BookByPatient,
  context: Omit<CommandContext, 'actor'>,
): Promise<AppointmentRow> {
  const { tenantId } = input;
  if (!isUnlimited) requireRoom(await findSelfBookings(em, { tenantId, patientPhoneHashes, ...from }));
  const booked = await bookAppointment(em, { ...input, ...OF_PATIENTS }, { ...context, actor: PATIENT });
  await insertSelfBooking(em, { ...from, tenantId, id: booked.id });
  if (email) await insertPatientEmail(em, booked, email);
  return booked;
}

/** @param booked newest first @throws ServiceError `rate_limited`, with the same message for every limit */
function requireRoom(booked: readonly SelfBooking[]): void {
  const waitsMs = LIMITS.map(({ most, withinMs, counts }) => {
    const oldest = booked.filter(counts)[most - 1];
    return oldest === undefined ? 0 : withinMs - oldest.ageMs;
  });
  const waitMs = Math.max(...waitsMs);
  if (waitMs > 0) throw rateLimited('Too many online bookings were made in a short time.', waitMs);
}
