/** The length of a SHA-256 hash. */
export const HEX_DIGITS = 64;

/** `patientPhoneHash` as it is shown: the stored hash without the ID of its key. */
export function shownPhoneHash(stored: string): string {
  return stored.slice(-HEX_DIGITS);
}
