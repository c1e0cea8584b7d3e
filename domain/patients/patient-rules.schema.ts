import { nameText, text } from '../bounded-text.schema.ts';

/** What is written of a patient, no matter who fills it in: docs/limits.md#field-lengths */
export const patientRules = {
  patientName: nameText(200),
  patientNotes: text({ max: 1000 }),
};
