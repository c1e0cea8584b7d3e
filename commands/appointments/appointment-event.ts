import type { z } from 'zod';
import { shownName } from '../../domain/patients/erased-name.ts';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import { presented } from '../../domain/presented.schema.ts';
import { eventAppointment } from '../../domain/webhooks/events/appointment-events.schema.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';

/** Times may already be texts, because the database sets the times of a booking when it writes the row. */
type ShownAppointment = {
  [Field in keyof z.input<typeof eventAppointment>]:
    | AppointmentRow[Field]
    | (Date extends AppointmentRow[Field] ? string : never);
};

/** An appointment as events show it, without notes and metadata: docs/events.md#appointments */
export function appointmentInEvent(appointment: ShownAppointment) {
  return presented(eventAppointment, {
    ...appointment,
    patientName: shownName(appointment.patientName),
    patientPhoneHash: shownPhoneHash(appointment.patientPhoneHash),
  });
}
