import { isDeepStrictEqual } from 'node:util';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';

/** What a clinic may edit in every status; null clears, absence keeps. */
export interface EditableFields {
  patientNotes?: string | null;
  metadata?: Record<string, unknown> | null;
  externalId?: string | null;
}

const EDITABLE = ['patientNotes', 'metadata', 'externalId'] as const satisfies (keyof EditableFields)[];

/** The fields of `wanted` that differ from what is stored. */
export function changedFields(appointment: AppointmentRow, wanted: EditableFields): EditableFields {
  const different = EDITABLE.filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], appointment[name] ?? null),
  );
  return Object.fromEntries(different.map((name) => [name, wanted[name]]));
}

/** The names of the fields, for the timeline and for `changes` in the event; never their values. */
export function fieldNames(edit: EditableFields): string[] {
  return EDITABLE.filter((name) => name in edit);
}
