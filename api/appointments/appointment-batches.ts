import {
  bookAppointments,
  type BookingOutcome,
  type UnmadeBooking,
} from '../../commands/appointments/book-appointment.ts';
import { editAppointments, type Edit } from '../../commands/appointments/edit-appointments-together.ts';
import type { Booking } from '../../commands/appointments/plan-booking.ts';
import { createBatch } from '../../commands/requests/batch-requests.ts';
import { findAppointments, type SoughtAppointment } from '../../db/appointments/find-appointment.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { answerBooking, answerChange } from './present.ts';

/** Requests that arrive together share database statements: docs/decisions/0012-bookings-are-written-together.md */
export function createAppointmentBatches(database: Database) {
  return {
    booking: createBatch(database, 'bookings', {
      clinicOf: ({ input }: Booking) => input.tenantId,
      carryOut: async (em, bookings, longestWaitMs) =>
        (await bookAppointments(em, bookings, longestWaitMs)).map(answerIfBooked),
    }),
    /** Edits of notes and metadata. */
    edit: createBatch(database, 'edits', {
      clinicOf: ({ tenantId }: Edit) => tenantId,
      carryOut: async (em, edits) => (await editAppointments(em, edits)).map(answerIfEdited),
    }),
    find: database.batcher('appointments', (sought: readonly SoughtAppointment[]) =>
      database.ofClinics(sought.map(({ tenantId }) => tenantId)).read((em) => findAppointments(em, sought)),
    ),
  };
}

type AnsweredBooking = { answer: ReturnType<typeof answerBooking> } | { left: UnmadeBooking };
type AnsweredEdit = { answer: ReturnType<typeof answerChange> } | { left: null };

function answerIfBooked(outcome: BookingOutcome): AnsweredBooking {
  return 'booked' in outcome ? { answer: answerBooking(outcome.booked) } : { left: outcome };
}

function answerIfEdited(edited: AppointmentRow | null): AnsweredEdit {
  return edited ? { answer: answerChange({ appointment: edited, replacement: null }) } : { left: null };
}
