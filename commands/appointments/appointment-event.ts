import { shownName } from '../../domain/patients/erased-name.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { appointmentFields } from '../../domain/appointments/appointment-fields.schema.ts';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';

type ShownAppointment = Pick<AppointmentRow, keyof typeof appointmentFields>;

/** An appointment as events show it: never notes or metadata: docs/events.md#appointments */
export function appointmentInEvent(appointment: ShownAppointment) {
  return {
    id: appointment.id,
    professionalId: appointment.professionalId,
    serviceTypeId: appointment.serviceTypeId,
    patientName: shownName(appointment.patientName),
    patientPhoneHash: shownPhoneHash(appointment.patientPhoneHash),
    patientExternalId: appointment.patientExternalId,
    startsAt: appointment.startsAt.toISOString(),
    endsAt: appointment.endsAt.toISOString(),
    status: appointment.status,
    source: appointment.source,
    externalId: appointment.externalId,
    callId: appointment.callId,
    createdAt: appointment.createdAt.toISOString(),
    updatedAt: appointment.updatedAt.toISOString(),
    version: appointment.version,
    rescheduledToId: appointment.rescheduledToId,
    rescheduledFromId: appointment.rescheduledFromId,
  };
}
