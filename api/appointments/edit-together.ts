import type { ChangeAppointment } from '../../commands/appointments/change-appointment.ts';
import { editAppointments, type Edit } from '../../commands/appointments/edit-appointments-together.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';

/** What can be changed together, and what every change says besides. */
const OF_EDITS = [
  'patientNotes',
  'metadata',
  'tenantId',
  'appointmentId',
  'expectedVersion',
  'mayBackdate',
  'timings',
  'asSeen',
];

/** A change of notes and metadata only; null for every other. */
export function asEdit(change: ChangeAppointment, context: CommandContext): Edit | null {
  const isMore = Object.entries(change).some(
    ([field, value]) => value !== undefined && !OF_EDITS.includes(field),
  );
  return isMore ? null : { ...change, context };
}

/**
 * Makes edits that arrive at the same time together: docs/decisions/0012-bookings-are-written-together.md. Null for an
 * edit that has to go alone.
 */
export function createEditTogether(database: Database): (edit: Edit) => Promise<AppointmentRow | null> {
  return database.batcher(
    'edits',
    (edits: readonly Edit[]) =>
      database
        .ofClinics(edits.map(({ tenantId }) => tenantId))
        .write((em) => editAppointments(em, edits), { writesOnce: true }),
    () => Promise.resolve(null),
  );
}
