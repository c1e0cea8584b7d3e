import type { TextCipher } from './text-cipher.ts';

/** Searchable hashes. Each purpose has its own key per clinic. */
export type HashedPurpose = 'patient-name' | 'name-beginning';

/** Encrypts and decrypts a clinic's texts. */
export interface ClinicCipher extends TextCipher {
  /** HMAC-SHA256, deterministic within a clinic; without the clinic's key texts cannot be guessed. */
  hash(purpose: HashedPurpose, text: string): Buffer;
}

/** A clinic's encrypted key; null after it was destroyed, undefined before it is created. */
export type StoredClinicKey = string | null | undefined;

export type FindClinicKey = (tenantId: string) => Promise<StoredClinicKey>;

export interface ClinicKeyStore {
  find: FindClinicKey;
  /** Commits at once, unless the clinic has a key. */
  keep(tenantId: string, sealed: string): Promise<void>;
}

export interface ClinicCiphers {
  /**
   * The cipher of a clinic, whose key is created if it has none. @param find for reading within a certain transaction
   * @throws SecretUnreadableError when no key of ENCRYPTION_KEY decrypts the clinic's
   */
  of(tenantId: string, find?: FindClinicKey): Promise<ClinicCipher>;
  /** An encrypted key for a new clinic; null without a master key. */
  newKey(tenantId: string): string | null;
}

/** Creates clinic ciphers for the store of their keys. */
export interface Sealing {
  over(store: ClinicKeyStore): ClinicCiphers;
}
