/** Of SHA-256. */
export const HEX_DIGITS = 64;

/** `patientPhoneHash` as shown: the stored one without the name of its key. */
export function shownPhoneHash(stored: string): string {
  return stored.slice(-HEX_DIGITS);
}
