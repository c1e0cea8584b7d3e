import type { SealedPlace } from './sealed-places.ts';

/** Makes texts unreadable, each for the place where it is stored. */
export interface TextCipher {
  encrypt(plaintext: string, place: SealedPlace): string;
  /** @throws SecretUnreadableError */
  decrypt(encrypted: string, place: SealedPlace): string;
}

/** No key of ours opens the stored text for this place, or it was changed. The message holds none of it. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

/** What is opened; null in place of what no key opens. */
export function nullIfUnreadable<Opened>(open: () => Opened): Opened | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
