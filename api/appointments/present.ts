import { shownName } from '../../domain/patients/erased-name.ts';
import type { z } from 'zod';
import type { ChangedAppointment } from '../../commands/appointments/change-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { appointmentSchema } from './contract.ts';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';

type Appointment = z.input<typeof appointmentSchema>;

/** The one door from an appointment's row to the API's JSON. */
export function presentAppointment(row: AppointmentRow): Appointment {
  return {
    id: row.id,
    professionalId: row.professionalId,
    serviceTypeId: row.serviceTypeId,
    patientName: shownName(row.patientName),
    patientPhoneHash: shownPhoneHash(row.patientPhoneHash),
    patientExternalId: row.patientExternalId,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    status: row.status,
    source: row.source,
    patientNotes: row.patientNotes,
    metadata: row.metadata,
    externalId: row.externalId,
    callId: row.callId,
    cancellationReason: row.cancellationReason,
    checkedInAt: row.checkedInAt?.toISOString() ?? null,
    rescheduledToId: row.rescheduledToId,
    rescheduledFromId: row.rescheduledFromId,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentChange({ appointment, replacement }: ChangedAppointment) {
  return {
    ...presentAppointment(appointment),
    ...(replacement && { replacement: presentAppointment(replacement) }),
  };
}
