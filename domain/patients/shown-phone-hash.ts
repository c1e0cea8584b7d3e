/** Of SHA-256. */
export const HEX_DIGITS = 64;

/** `patientPhoneHash` as it is shown: a stored one without the name of the key that has made it. */
export function shownPhoneHash(stored: string): string {
  return stored.slice(-HEX_DIGITS);
}
