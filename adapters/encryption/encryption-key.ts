import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Memory } from '../memory.ts';
import type { HashedPurpose } from '../../domain/encryption/clinic-ciphers.ts';
import type { SealedPlace } from '../../domain/encryption/sealed-places.ts';

const KEY_BYTES = 32;
/** Some 200 bytes each; the oldest is derived again when it is needed. */
const MAX_DERIVED = 10_000;

/**
 * What encrypts is derived from a key, for each purpose and clinic by itself. `v2`: from one of ENCRYPTION_KEY. `v3`: from the
 * clinic's own.
 */
export type SealedFormat = 'v2' | 'v3';

/** One key of the list ENCRYPTION_KEY, or the key of a clinic. */
export type EncryptionKey = ReturnType<typeof createEncryptionKey>;

/** The name that stored texts bear of the key that sealed them, which tells nothing about it: 8 hex digits. */
export function encryptionKeyId(bytes: Uint8Array): string {
  return createHmac('sha256', bytes).update('key id').digest('hex').slice(0, 8);
}

/** @param bytes 32 of them */
export function createEncryptionKey(bytes: Uint8Array) {
  if (bytes.length !== KEY_BYTES) throw new RangeError('An encryption key must have 32 bytes');
  // Bytes would be looked at again for each text, which takes Node four times as long as the cipher.
  const key = createSecretKey(bytes);
  const derived = new Memory<KeyObject>(MAX_DERIVED);
  return {
    id: encryptionKeyId(bytes),
    keyFor(format: SealedFormat, place: SealedPlace): KeyObject {
      return derived.of(`${format} ${place.purpose} ${place.tenantId}`, () => derive(key, format, place));
    },
  };
}

/** HKDF (RFC 5869) with the clinic as salt and the purpose as info. */
function derive(key: KeyObject, format: SealedFormat, { purpose, tenantId }: SealedPlace): KeyObject {
  return createSecretKey(
    new Uint8Array(hkdfSync('sha256', key, tenantId, `sealed/${format}/${purpose}`, KEY_BYTES)),
  );
}

/** What a clinic's hashes are made with. @param bytes the key of the clinic */
export function hashKeys(bytes: Uint8Array): Record<HashedPurpose, KeyObject> {
  const derived = (purpose: HashedPurpose) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', bytes, '', `hashed/v1/${purpose}`, KEY_BYTES)));
  return { 'patient-name': derived('patient-name'), 'name-beginning': derived('name-beginning') };
}
