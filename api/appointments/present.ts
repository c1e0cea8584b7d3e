import { acknowledgementOf, type Acknowledgement } from '../../domain/appointments/acknowledgement.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import type { ChangedAppointment } from '../../commands/appointments/change-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import { presented } from '../../domain/presented.schema.ts';
import { answer } from '../contract/implement.ts';
import { versionTag } from '../contract/version-tag.ts';
import { acknowledgementSchema, appointmentSchema } from './contract.ts';

/** Converts an appointment's row to the API's JSON. No other code does. */
export function presentAppointment(row: AppointmentRow) {
  const acknowledgement = acknowledgementOf(row);
  return presented(appointmentSchema, {
    ...row,
    patientName: shownName(row.patientName),
    patientPhoneHash: shownPhoneHash(row.patientPhoneHash),
    acknowledgement: acknowledgement && presentAcknowledgement(acknowledgement),
  });
}

export function presentAcknowledgement(acknowledgement: Acknowledgement) {
  return presented(acknowledgementSchema, acknowledgement);
}

function presentChange({ appointment, replacement }: ChangedAppointment) {
  return {
    ...presentAppointment(appointment),
    ...(replacement && { replacement: presentAppointment(replacement) }),
  };
}

export function answerBooking(booked: AppointmentRow) {
  const headers = { ...versionTag(booked), Location: `/v1/appointments/${booked.id}` };
  return answer(201, presentAppointment(booked), headers);
}

export function answerChange(changed: ChangedAppointment) {
  return answer(200, presentChange(changed), versionTag(changed.appointment));
}
