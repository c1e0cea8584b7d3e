/** What is shown for the name of a patient, or of a clinic's things, that was erased: docs/operations/patient-data.md#erase */
export const ERASED_NAME = 'erased';

/** @param name null: the patient was erased */
export function shownName(name: string | null): string {
  return name ?? ERASED_NAME;
}
