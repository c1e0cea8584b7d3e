import type { TextCipher } from './text-cipher.ts';

/** Searchable hashes. Each purpose has its own key per clinic. */
export type HashedPurpose = 'patient-name' | 'name-beginning';

/** Encrypts and decrypts a clinic's texts. */
export interface ClinicCipher extends TextCipher {
  /**
   * An HMAC-SHA256 that is deterministic within a clinic. Without the clinic's key, texts cannot be guessed from it.
   */
  hash(purpose: HashedPurpose, text: string): Buffer;
}

/** A clinic's encrypted key; null after it was destroyed, undefined before it is created. */
export type StoredClinicKey = string | null | undefined;

export type FindClinicKey = (tenantId: string) => Promise<StoredClinicKey>;

export interface ClinicKeyStore {
  find: FindClinicKey;
  /** Stores and commits the key, unless the clinic already has one. */
  keep(tenantId: string, sealed: string): Promise<void>;
}

export interface ClinicCiphers {
  /**
   * The cipher of a clinic. If the clinic has no key, one is created. @param find reads the key within a certain
   * transaction @throws SecretUnreadableError when no key of ENCRYPTION_KEY decrypts the clinic's key
   */
  of(tenantId: string, find?: FindClinicKey): Promise<ClinicCipher>;
  /** An encrypted key for a new clinic; null without a master key. */
  newKey(tenantId: string): string | null;
}

/** Creates clinic ciphers for the store of their keys. */
export interface Sealing {
  over(store: ClinicKeyStore): ClinicCiphers;
}
