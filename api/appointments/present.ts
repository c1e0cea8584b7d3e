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
    patientName: row.patientName,
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

/** What of an appointment is the patient's, and how it reads to a key that may not read appointments. */
const WITHHELD = { patientName: '', patientNotes: null, patientExternalId: null, metadata: null } as const;

/**
 * The answer to a change, for a key without `appointments:read`: of the patient it holds what the request itself said.
 * docs/keys-and-scopes.md#what-a-change-answers
 */
export function withoutUnsaid(
  shown: ReturnType<typeof presentChange>,
  said: Readonly<Record<string, unknown>>,
) {
  const withheld = Object.fromEntries(
    Object.entries(WITHHELD).filter(([field]) => said[field] === undefined),
  );
  const { replacement } = shown;
  return { ...shown, ...withheld, ...(replacement && { replacement: { ...replacement, ...withheld } }) };
}
