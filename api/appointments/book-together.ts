import {
  bookAppointments,
  bookPastHolds,
  settleBooking,
  tryToBook,
  type BookingOutcome,
} from '../../commands/appointments/book-appointment.ts';
import { bookAppointmentsOnce, type KeyedBooking } from '../../commands/appointments/book-once.ts';
import type { Booking } from '../../commands/appointments/plan-booking.ts';
import type { ClinicDatabase, Database } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';

/** Makes bookings that arrive at the same time together: docs/decisions/0012-bookings-are-written-together.md */
export function createBookTogether(database: Database) {
  const tryTogether = database.batcher(
    'bookings',
    (bookings: readonly Booking[]) =>
      database
        .ofClinics(bookings.map(({ input }) => input.tenantId))
        .write((em) => bookAppointments(em, bookings), { writesOnce: true }),
    (booking) =>
      database.ofClinic(booking.input.tenantId).write((em) => tryToBook(em, booking), { writesOnce: true }),
  );
  const tryPastHolds = (booking: Booking, outcome: BookingOutcome) =>
    database.ofClinic(booking.input.tenantId).write((em) => bookPastHolds(em, outcome), { writesOnce: true });
  return {
    /** Throws as `bookAppointment` does. */
    book: async (booking: Booking, read: ClinicDatabase['read']): Promise<AppointmentRow> => {
      const first = await tryTogether(booking);
      const outcome = 'taken' in first ? await tryPastHolds(booking, first) : first;
      return 'booked' in outcome ? outcome.booked : read((em) => settleBooking(em, booking, outcome));
    },
    /** Null for a booking that has to go alone. */
    bookOnce: database.batcher(
      'keyed_bookings',
      (bookings: readonly KeyedBooking[]): Promise<(AppointmentRow | null)[]> =>
        database
          .ofClinics(bookings.map(({ key }) => key.tenantId))
          .write((em) => bookAppointmentsOnce(em, bookings)),
      () => Promise.resolve(null),
    ),
  };
}
