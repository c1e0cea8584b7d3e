/** Turns a key into words: `patientName` and `patient_name` become “patient name”. */
export function wordsOfKey(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}
