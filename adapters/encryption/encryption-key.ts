import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Memory } from '../memory.ts';
import type { HashedPurpose } from '../../domain/encryption/clinic-ciphers.ts';
import type { SealedPlace } from '../../domain/encryption/sealed-places.ts';

const KEY_BYTES = 32;
/** The number of derived keys in the cache, about 200 bytes each; an evicted key is derived again. */
const MAX_DERIVED = 10_000;

/** What keys are derived from, per purpose and clinic: ENCRYPTION_KEY (`v2`) or the clinic's own key (`v3`). */
export type SealedFormat = 'v2' | 'v3';

/** A key of ENCRYPTION_KEY, or a clinic's key. */
export type EncryptionKey = ReturnType<typeof createEncryptionKey>;

/** The id of a key in encrypted texts, which reveals nothing about it: 8 hex digits. */
export function encryptionKeyId(bytes: Uint8Array): string {
  return createHmac('sha256', bytes).update('key id').digest('hex').slice(0, 8);
}

/** @param bytes exactly 32 bytes */
export function createEncryptionKey(bytes: Uint8Array) {
  if (bytes.length !== KEY_BYTES) throw new RangeError('An encryption key must have 32 bytes');
  // With raw bytes Node takes four times as long as the cipher itself.
  const key = createSecretKey(bytes);
  const derived = new Memory<KeyObject>(MAX_DERIVED);
  return {
    id: encryptionKeyId(bytes),
    keyFor(format: SealedFormat, place: SealedPlace): KeyObject {
      return derived.of(`${format} ${place.purpose} ${place.tenantId}`, () => derive(key, format, place));
    },
  };
}

/** Derives a key with HKDF (RFC 5869): the clinic is the salt, the purpose is the info. */
function derive(key: KeyObject, format: SealedFormat, { purpose, tenantId }: SealedPlace): KeyObject {
  return createSecretKey(
    new Uint8Array(hkdfSync('sha256', key, tenantId, `sealed/${format}/${purpose}`, KEY_BYTES)),
  );
}

/** The keys for a clinic's hashes. @param bytes the clinic's key */
export function hashKeys(bytes: Uint8Array): Record<HashedPurpose, KeyObject> {
  const derived = (purpose: HashedPurpose) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', bytes, '', `hashed/v1/${purpose}`, KEY_BYTES)));
  return { 'patient-name': derived('patient-name'), 'name-beginning': derived('name-beginning') };
}
