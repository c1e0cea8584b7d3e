import type { TextCipher } from './text-cipher.ts';

/** What is found without being opened. Each has a key of its own, for each clinic. */
export type HashedPurpose = 'patient-name' | 'name-beginning';

/** What a clinic's texts are sealed and opened with. */
export interface ClinicCipher extends TextCipher {
  /** HMAC-SHA256, the same for the same text in one clinic; no one can tell or try texts without the clinic's key. */
  hash(purpose: HashedPurpose, text: string): Buffer;
}

/** A clinic's key as it is stored, sealed; null once it was destroyed, undefined before it is made. */
export type StoredClinicKey = string | null | undefined;

export type FindClinicKey = (tenantId: string) => Promise<StoredClinicKey>;

export interface ClinicKeyStore {
  find: FindClinicKey;
  /** Keeps it for good at once, unless the clinic has one. */
  keep(tenantId: string, sealed: string): Promise<void>;
}

export interface ClinicCiphers {
  /**
   * Those of a clinic, whose key is made when it has none. @param find for what has to be read in a transaction of its own
   * @throws SecretUnreadableError when no key of ENCRYPTION_KEY opens the clinic's
   */
  of(tenantId: string, find?: FindClinicKey): Promise<ClinicCipher>;
  /** One for a new clinic, sealed as it is stored; null where no master key is known. */
  newKey(tenantId: string): string | null;
}

/** Opens the keys of clinics over the place where they are stored. */
export interface Sealing {
  over(store: ClinicKeyStore): ClinicCiphers;
}
