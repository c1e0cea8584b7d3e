import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

type Proven = string | Uint8Array;

/**
 * Creates and checks signatures, for example of links: HMAC-SHA256 with keys for this purpose, derived with HKDF (RFC
 * 5869).
 * @param encryptionKeys the list ENCRYPTION_KEY, 32 bytes each: the first signs, all verify
 * @param bytes how many of the signature's 32 bytes are used
 */
export function createProofs(encryptionKeys: readonly Uint8Array[], purpose: string, bytes = 32) {
  const keys = encryptionKeys.map((key) => new Uint8Array(hkdfSync('sha256', key, '', purpose, 32)));
  const [first] = keys;
  if (!first) throw new RangeError('An encryption key is required');
  const sign = (key: Uint8Array, made: Proven) =>
    createHmac('sha256', key).update(made).digest().subarray(0, bytes);
  return {
    proofOf: (made: Proven) => sign(first, made),
    isProof: (given: Uint8Array, made: Proven) => keys.some((key) => isSameSecret(given, sign(key, made))),
  };
}

/** Compares in constant time. */
export function isSameSecret(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
