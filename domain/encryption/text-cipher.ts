import type { SealedPlace } from './sealed-places.ts';

/** Encrypts texts, each bound to the place where it is stored. */
export interface TextCipher {
  encrypt(plaintext: string, place: SealedPlace): string;
  /** @throws SecretUnreadableError */
  decrypt(encrypted: string, place: SealedPlace): string;
}

/** Thrown when a text was changed or no key decrypts it for this place. The message does not contain the text. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

/** The decrypted value, or null when it is unreadable. */
export function nullIfUnreadable<Opened>(open: () => Opened): Opened | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
