import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { nameText, text } from '../../domain/bounded-text.schema.ts';
import type { FormFields } from '../edits/form-fields.ts';
import { optional, required } from '../filled-in.schema.ts';
import type { View } from '../layout/view.ts';
import { phoneField } from '../phone-field.schema.ts';

/** What of an appointment is corrected in place. */
export interface ShownOfPatient {
  patientName: string;
  /** Null: it stays. Only its fingerprint is stored, so it cannot be shown. */
  patientPhone: string | null;
  patientNotes: string | null;
}

export function patientForm({ session }: Pick<View, 'session'>): FormFields<AppointmentRow, ShownOfPatient> {
  return {
    patientName: { read: required(nameText(200)), show: ({ patientName }) => patientName },
    patientPhone: { read: optional(phoneField(session.clinicCountry ?? '')), show: () => '' },
    patientNotes: {
      read: optional(text({ max: 1000 })),
      show: ({ patientNotes }) => patientNotes ?? '',
    },
  };
}
