import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { changedFields } from '../changed-fields.ts';

/** What a change may set besides status and start; null clears, absence keeps. */
export type EditableFields = Partial<
  Pick<
    AppointmentRow,
    'patientNotes' | 'metadata' | 'externalId' | 'patientName' | 'patientPhoneHash' | 'patientExternalId'
  >
>;

/** The same with another service or end, and what follows from them. */
export type AppointmentEdit = EditableFields &
  Partial<Pick<AppointmentRow, 'serviceTypeId' | 'endsAt' | 'blockUntil' | 'ownLength'>>;

/** Those of the wanted values that differ from what is stored. */
export function wantedEdit(appointment: AppointmentRow, wanted: EditableFields): EditableFields {
  const { patientNotes, metadata, externalId, patientName, patientPhoneHash, patientExternalId } = wanted;
  return changedFields(appointment, {
    patientNotes,
    metadata,
    externalId,
    patientName,
    patientPhoneHash,
    patientExternalId,
  });
}

/** Whether it says otherwise who the patient is, which is to be said of the appointment that counts. */
export function isCorrection(edit: EditableFields): boolean {
  return ['patientName', 'patientPhoneHash', 'patientExternalId'].some((field) => field in edit);
}

const UNNAMED: readonly string[] = ['blockUntil', 'ownLength'];

/** The changed fields as the API names them: docs/events.md#appointments */
export function changedNames(edit: AppointmentEdit): string[] {
  return Object.keys(edit)
    .filter((field) => !UNNAMED.includes(field))
    .map((field) => (field === 'patientPhoneHash' ? 'patientPhone' : field));
}
