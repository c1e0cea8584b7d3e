import { insertBookings } from '../../db/appointments/insert-appointments.ts';
import { areHoldsInTheWay, freeForOverlap, freeHolds } from '../../db/appointments/slot-holds.ts';
import { lockProfessionals } from '../../db/clinic/professionals.ts';
import { allOrNothing } from '../../db/connection/all-or-nothing.ts';
import { WAIT_FOR_RIVALS_MS } from '../../db/connection/locks.ts';
import { findBookableServices, type BookableService } from '../../db/appointments/bookable-service.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { alreadyBooked, bookingConflict, slotUnavailable } from './booking-conflict.ts';
import { areOutsideHours } from './free-times/outside-hours.ts';
import { planBooking, type Booking, type BookAppointment, type PlannedBooking } from './plan-booking.ts';
import { timingsOf } from '../../db/connection/timings-of.ts';
import type { Timings } from '../../domain/timings.ts';
import type { CommandContext } from '../command-context.ts';

/**
 * Books a free slot: the appointment, its timeline, the event and the no-show timer.
 * Errors: `validation_failed` (unknown ids), `starts_in_past`, `service_not_offered`,
 * `professional_inactive`, `external_id_conflict`,
 * `outside_hours`, `already_booked`, `slot_conflict`, `hold_expired`. docs/appointments.md#booking
 */
export async function bookAppointment(em: EntityManager, input: BookAppointment, context: CommandContext) {
  const booking = { input, context };
  const [outcome] = await bookAppointments(em, [booking], WAIT_FOR_RIVALS_MS.alone);
  if (!outcome) throw new Error('the database returned neither a new appointment nor a conflict');
  return 'booked' in outcome ? outcome.booked : settleBooking(em, booking, outcome);
}

export type BookingOutcome = { booked: AppointmentRow } | UnmadeBooking;

/**
 * `taken`: another appointment has the slot or the external ID, or the booking may overlap others and is made alone. `outside`: the time is outside the hours that the
 * booking must respect.
 */
export type UnmadeBooking = { taken: PlannedBooking } | { outside: BookableService } | { refused: unknown };

/**
 * Books independent appointments, which may belong to several clinics, and returns the result of each. Writes with one
 * statement, which is a transaction of its own.
 */
export async function bookAppointments(
  em: EntityManager,
  bookings: readonly Booking[],
  longestWaitMs: number = WAIT_FOR_RIVALS_MS.together,
): Promise<BookingOutcome[]> {
  const inputs = bookings.map(({ input }) => input);
  const services = await findBookableServices(em, inputs);
  const plans = bookings.map((booking, at) => tryToPlan(booking, services[at] ?? null, timingsOf(em)));
  const outside = await findOutside(em, plans);
  const possible = plans.filter((plan) => 'planned' in plan).filter((plan) => !outside.has(plan));
  const planned = possible.map((plan) => plan.planned).filter(({ appointment }) => !appointment.overlap);
  const rows = planned.length > 0 ? await insertBookings(em, planned, longestWaitMs) : [];
  const booked = new Map(rows.map((row) => [row.id, row]));
  return plans.map((plan) => {
    if ('refused' in plan) return plan;
    if (outside.has(plan)) return { outside: plan.service };
    const row = booked.get(plan.planned.appointment.id);
    return row ? { booked: row } : { taken: plan };
  });
}

/**
 * Books the appointment if only holds that can be released block the slot. Otherwise throws the reason, with free times
 * nearby if the slot is taken.
 */
export async function settleBooking(
  em: EntityManager,
  { input, context: { now } }: Booking,
  unmade: UnmadeBooking,
): Promise<AppointmentRow> {
  if ('refused' in unmade) throw unmade.refused;
  const booked = 'taken' in unmade ? await bookPastOthers(em, input, unmade.taken) : null;
  if (booked) return booked;
  const isThere = await alreadyBooked(em, input);
  if (isThere) throw isThere;
  if ('outside' in unmade)
    throw await slotUnavailable(em, 'outside_hours', { ...input, service: unmade.outside }, now);
  throw await bookingConflict(em, { ...input, service: unmade.taken.service }, now);
}

function bookPastOthers(em: EntityManager, input: BookAppointment, plan: PlannedBooking) {
  return plan.planned.appointment.overlap ? bookOver(em, input, plan) : bookPastHolds(em, plan);
}

/** Books over other appointments. Null if a key holds the time, or the external ID exists. Errors: `already_booked`. */
function bookOver(em: EntityManager, input: BookAppointment, { planned, holdId, takenBy }: PlannedBooking) {
  const slot = { ...planned.appointment, holdId, takenBy };
  return allOrNothing(em, async (inner) => {
    await lockProfessionals(inner, slot.tenantId, [slot.professionalId], { isForOverlap: true });
    const isThere = await alreadyBooked(inner, input);
    if (isThere) throw isThere;
    if (!(await freeForOverlap(inner, slot))) return null;
    const [row = null] = await insertBookings(inner, [planned], WAIT_FOR_RIVALS_MS.alone);
    return row;
  });
}

/**
 * Tries to book again after releasing holds that have expired, belong to the caller or were made by patients. Null if
 * something else blocks the slot.
 */
async function bookPastHolds(em: EntityManager, { planned, holdId, takenBy }: PlannedBooking) {
  const slot = { ...planned.appointment, holdId, takenBy };
  if (!(await areHoldsInTheWay(em, [slot]))) return null;
  return allOrNothing(em, async (inner) => {
    await freeHolds(inner, [slot]);
    const [row = null] = await insertBookings(inner, [planned], WAIT_FOR_RIVALS_MS.alone);
    return row;
  });
}

/** `refused`: the error of one booking affects only that one. */
type Plan = PlannedBooking | { refused: unknown };

function tryToPlan(booking: Booking, service: BookableService | null, timings: Timings): Plan {
  try {
    return planBooking(booking, service, timings);
  } catch (refused) {
    return { refused };
  }
}

/** The planned bookings that must respect the hours but are outside them. */
async function findOutside(em: EntityManager, plans: readonly Plan[]): Promise<Set<Plan>> {
  const respecting = plans.filter((plan) => 'planned' in plan).filter((plan) => plan.respectsHours);
  const slots = respecting.map(({ planned, service }) => ({ ...planned.appointment, service }));
  const outside = await areOutsideHours(em, slots);
  return new Set(respecting.filter((_, at) => outside[at]));
}
