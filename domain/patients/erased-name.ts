/** Shown for an erased name: docs/operations/patient-data.md#erase */
export const ERASED_NAME = 'erased';

/** @param name null: the patient was erased */
export function shownName(name: string | null): string {
  return name ?? ERASED_NAME;
}
