import { shownName } from '../../domain/patients/erased-name.ts';
import type { EditableField } from '../../domain/appointments/appointment-fields.schema.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { patientRules } from '../../domain/patients/patient-rules.schema.ts';
import type { FormFields } from '../edits/form-fields.ts';
import { optional, required } from '../filled-in.schema.ts';
import type { View } from '../layout/view.ts';
import { phoneField } from '../phone-field.schema.ts';

/** Fields for integrations only. */
type OfPrograms = 'metadata' | 'externalId' | 'patientExternalId';

/** The fields that staff can correct: every other editable field. */
export interface ShownOfPatient extends Pick<
  AppointmentRow,
  Exclude<EditableField, OfPrograms | 'patientPhoneHash'>
> {
  patientName: string;
  /** The new phone; null when unchanged. Only a hash is stored, so the form cannot show the old one. */
  patientPhone: string | null;
}

export function patientForm({ session }: Pick<View, 'session'>): FormFields<AppointmentRow, ShownOfPatient> {
  return {
    patientName: {
      read: required(patientRules.patientName),
      show: ({ patientName }) => shownName(patientName),
    },
    patientPhone: { read: optional(phoneField(session.clinicCountry ?? '')), show: () => '' },
    patientNotes: {
      read: optional(patientRules.patientNotes),
      show: ({ patientNotes }) => patientNotes ?? '',
    },
  };
}
