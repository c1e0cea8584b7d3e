import { nameText, text } from '../text/bounded-text.schema.ts';

/** Rules for a patient's fields, for the API, pages and command line: docs/limits.md#field-lengths */
export const patientRules = {
  patientName: nameText(200),
  patientNotes: text({ max: 1000 }),
};
