import {
  bookAppointments,
  bookPastHolds,
  settleBooking,
  tryToBook,
  type BookingOutcome,
} from '../../commands/appointments/book-appointment.ts';
import { bookAppointmentsOnce, type KeyedBooking } from '../../commands/appointments/book-once.ts';
import { editAppointments, type Edit } from '../../commands/appointments/edit-appointments-together.ts';
import type { Booking } from '../../commands/appointments/plan-booking.ts';
import { findAppointments, type SoughtAppointment } from '../../db/appointments/find-appointment.ts';
import type { ClinicDatabase, Database } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';

/** What arrives at the same time is asked of the database together: docs/decisions/0012-bookings-are-written-together.md */
export function createAskedTogether(database: Database) {
  return {
    ...createBookTogether(database),
    /** Of notes and metadata. Null for an edit that has to go alone. */
    edit: database.batcher(
      'edits',
      (edits: readonly Edit[]): Promise<(AppointmentRow | null)[]> =>
        database
          .ofClinics(edits.map(({ tenantId }) => tenantId))
          .write((em) => editAppointments(em, edits), { writesOnce: true }),
      () => Promise.resolve(null),
    ),
    find: database.batcher('appointments', (sought: readonly SoughtAppointment[]) =>
      database.ofClinics(sought.map(({ tenantId }) => tenantId)).read((em) => findAppointments(em, sought)),
    ),
  };
}

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
