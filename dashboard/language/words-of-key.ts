/** As programs name things, for people: `patientName` and `patient_name` read “patient name”. */
export function wordsOfKey(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}
