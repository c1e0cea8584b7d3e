import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import {
  claimIdempotencyKeys,
  saveIdempotencyRecords,
  type IdempotencyKey,
} from '../../db/requests/idempotency-records.ts';
import { bookAppointments } from './book-appointment.ts';
import type { Booking } from './plan-booking.ts';

/** A booking that is made once, however often it is asked for under its key. */
export interface KeyedBooking extends Booking {
  key: IdempotencyKey;
  /** What is kept for those who ask again. */
  seal: (booked: AppointmentRow) => string;
}

/**
 * Makes bookings that have nothing to do with each other and keeps their answers, all in the transaction of `em`. Null for
 * one that it leaves undone, without a trace: a twin has its key, its slot is taken, or a rule refuses it.
 */
export async function bookAppointmentsOnce(em: EntityManager, bookings: readonly KeyedBooking[]) {
  const claimed = await claimEach(em, bookings);
  const outcomes = claimed.length > 0 ? await bookAppointments(em, claimed) : [];
  const booked = new Map<KeyedBooking, AppointmentRow>();
  for (const [at, booking] of claimed.entries()) {
    const outcome = outcomes[at];
    if (outcome && 'booked' in outcome) booked.set(booking, outcome.booked);
  }
  const records = Array.from(booked, ([{ key, seal }, row]) => ({ key, sealed: seal(row) }));
  if (records.length > 0) await saveIdempotencyRecords(em, records);
  return bookings.map((booking) => booked.get(booking) ?? null);
}

/** A transaction may claim a key twice, so twins are told apart before: the first of them is asked for. */
async function claimEach(em: EntityManager, bookings: readonly KeyedBooking[]): Promise<KeyedBooking[]> {
  const byKey = new Map<string, KeyedBooking>();
  for (const booking of bookings) {
    const name = `${booking.key.tenantId} ${booking.key.key}`;
    if (!byKey.has(name)) byKey.set(name, booking);
  }
  const first = [...byKey.values()];
  const keys = first.map(({ key }) => key);
  const claims = await claimIdempotencyKeys(em, keys);
  return first.filter((_, at) => claims[at]?.state === 'claimed');
}
