import { insertBookings, type NewBooking } from '../../db/appointments/insert-appointments.ts';
import { WAIT_FOR_RIVALS_MS } from '../../db/connection/lock-timeout.ts';
import { findBookableServices, type BookableService } from '../../db/appointments/bookable-service.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { bookingConflict } from './booking-conflict.ts';
import { planBooking, type Booking, type BookAppointment } from './plan-booking.ts';
import type { CommandContext } from '../command-context.ts';

/**
 * Books a free slot: the appointment, its timeline, the event and the no-show timer.
 * Errors: `validation_failed` (unknown ids), `starts_in_past`, `service_not_offered`,
 * `professional_inactive`, `external_id_conflict`,
 * `slot_conflict`. docs/appointments.md#booking
 */
export async function bookAppointment(
  em: EntityManager,
  input: BookAppointment,
  context: CommandContext,
): Promise<AppointmentRow> {
  const booking = { input, context };
  return settleBooking(em, booking, await tryToBook(em, booking));
}

/** `taken`: the slot or the external id belongs to another appointment. */
export type BookingOutcome = { booked: AppointmentRow } | { taken: BookableService } | { refused: unknown };

/** Makes one booking, and waits for rivals of its slot as long as a lone one may. */
export async function tryToBook(em: EntityManager, booking: Booking): Promise<BookingOutcome> {
  const [outcome] = await bookAppointments(em, [booking], WAIT_FOR_RIVALS_MS.alone);
  if (!outcome) throw new Error('a booking was neither made nor refused');
  return outcome;
}

/**
 * Makes bookings that have nothing to do with each other, of several clinics even, and says what became of each. It
 * writes with one statement, which is a transaction by itself.
 */
export async function bookAppointments(
  em: EntityManager,
  bookings: readonly Booking[],
  longestWaitMs: number = WAIT_FOR_RIVALS_MS.together,
): Promise<BookingOutcome[]> {
  const services = await findBookableServices(
    em,
    bookings.map(({ input }) => input),
  );
  const plans = bookings.map((booking, at) => tryToPlan(booking, services[at] ?? null));
  const possible = plans.filter((plan) => 'planned' in plan).map(({ planned }) => planned);
  const rows = possible.length > 0 ? await insertBookings(em, possible, longestWaitMs) : [];
  const booked = new Map(rows.map((row) => [row.id, row]));
  return plans.map((plan) => {
    if ('refused' in plan) return plan;
    const row = booked.get(plan.planned.appointment.id);
    return row ? { booked: row } : { taken: plan.service };
  });
}

/** The booking, or its refusal thrown: when the slot is taken, with free ones nearby. */
export async function settleBooking(
  em: EntityManager,
  { input, context }: Booking,
  outcome: BookingOutcome,
): Promise<AppointmentRow> {
  if ('booked' in outcome) return outcome.booked;
  if ('refused' in outcome) throw outcome.refused;
  const { taken: service } = outcome;
  throw await bookingConflict(em, { ...input, service, tenantConfig: service.tenantConfig }, context.now);
}

/** What is wrong with one booking is said of that one, whatever it is. */
function tryToPlan(
  booking: Booking,
  service: BookableService | null,
): { planned: NewBooking; service: BookableService } | { refused: unknown } {
  try {
    return planBooking(booking, service);
  } catch (refused) {
    return { refused };
  }
}
