import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type {
  ClinicCipher,
  ClinicCiphers,
  ClinicKeyStore,
  Sealing,
} from '../../domain/encryption/clinic-ciphers.ts';
import { clinicKey, type SealedPlace } from '../../domain/encryption/sealed-places.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { hashKeys } from './encryption-key.ts';
import { Memory } from '../memory.ts';
import { createSecretCipher, type SecretCipher } from './secret-cipher.ts';

const KEY_BYTES = 32;

/** The number of decrypted keys in the cache, about a kilobyte each. */
const MAX_OPEN = 10_000;

/**
 * The number of cached hashes and decrypted short texts of all clinics, about 300 bytes each. Reading them from the
 * cache is ten times faster than computing them.
 */
const MAX_REMEMBERED = 20_000;
const SHORT = 300;

/** How long a key stays in the cache: after this time all processes know that a key was destroyed or re-encrypted. */
const KNOWN_FOR_MS = 10 * 60_000;

export type MasterSealing = ReturnType<typeof createSealing>;

/**
 * Encrypts each clinic's data with its own key, which the master key encrypts. Decrypted keys are cached, so that most
 * texts need no query. docs/decisions/0025-sealed-at-rest.md
 * @param keys the list ENCRYPTION_KEY, 32 bytes each: the first encrypts, all decrypt
 */
export function createSealing(keys: readonly Uint8Array[]) {
  const master = createSecretCipher(keys);
  return {
    /** The cipher that uses ENCRYPTION_KEY directly: for the clinics' keys, and for data without a clinic. */
    master,
    over: (store: ClinicKeyStore) => ciphersOver(store, master),
  };
}

/** For a process without ENCRYPTION_KEY: everything that needs a key fails. */
export const NO_SEALING: Sealing = {
  over: () => ({
    newKey: () => null,
    of: async () => {
      throw new SecretUnreadableError('ENCRYPTION_KEY is not set for this process');
    },
  }),
};

function ciphersOver(store: ClinicKeyStore, master: SecretCipher): ClinicCiphers {
  const remembered = {
    hashes: new Memory<Buffer>(MAX_REMEMBERED),
    opened: new Memory<string>(MAX_REMEMBERED),
  };
  const open = new Memory<{ cipher: ClinicCipher; until: number }>(MAX_OPEN);
  const newKey = (tenantId: string) =>
    master.encrypt(randomBytes(KEY_BYTES).toString('base64'), clinicKey(tenantId));
  return {
    newKey,
    async of(tenantId, find = store.find) {
      const known = open.get(tenantId);
      if (known && known.until > performance.now()) return known.cipher;
      const found = await find(tenantId);
      const stored = found === undefined ? await make(store, tenantId, newKey(tenantId)) : found;
      const key = stored === null ? null : openKey(master, tenantId, stored);
      const cipher = clinicCipher(key, remembered);
      open.keep(tenantId, { cipher, until: performance.now() + KNOWN_FOR_MS });
      return cipher;
    },
  };
}

/**
 * Creates a clinic's key. If several processes do so, all use the key that was stored first: text encrypted with
 * another one could never be decrypted.
 */
async function make(store: ClinicKeyStore, tenantId: string, sealed: string): Promise<string | null> {
  await store.keep(tenantId, sealed);
  const kept = await store.find(tenantId);
  if (kept === undefined) throw new Error('the key of a clinic was created but cannot be found');
  return kept;
}

function openKey(master: SecretCipher, tenantId: string, stored: string): Buffer {
  return Buffer.from(master.decrypt(stored, clinicKey(tenantId)), 'base64');
}

/** Results cached under one decrypted key. */
interface Remembered {
  hashes: Memory<Buffer>;
  opened: Memory<string>;
}

/** @param key null when the key was destroyed: everything encrypted with it is unreadable */
function clinicCipher(key: Buffer | null, remembered: Remembered): ClinicCipher {
  const serial = randomUUID();
  const bytes = key ?? randomBytes(KEY_BYTES);
  const own = createSecretCipher([bytes], 'v3');
  const hashed = hashKeys(bytes);
  const nameOf = (encrypted: string, { purpose, tenantId, context }: SealedPlace) =>
    `${serial} ${purpose} ${tenantId} ${context} ${encrypted}`;
  return {
    hash: (purpose, text) =>
      remembered.hashes.of(`${serial} ${purpose} ${text}`, () =>
        createHmac('sha256', hashed[purpose]).update(text).digest(),
      ),
    encrypt(plaintext, place) {
      const encrypted = own.encrypt(plaintext, place);
      if (encrypted.length <= SHORT) remembered.opened.keep(nameOf(encrypted, place), plaintext);
      return encrypted;
    },
    decrypt(encrypted, place) {
      if (key === null)
        throw new SecretUnreadableError(
          'This value was encrypted with the key of a clinic that has been erased',
        );
      const open = () => own.decrypt(encrypted, place);
      return encrypted.length > SHORT ? open() : remembered.opened.of(nameOf(encrypted, place), open);
    },
  };
}
