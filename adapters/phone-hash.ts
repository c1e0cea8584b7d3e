import { createHmac, hkdfSync } from 'node:crypto';

/** The first way of making the key; stored hashes stay comparable as long as it does not change. */
const VERSION = 1;
const KEY_BYTES = 32;

/** `patientPhoneHash`: the same phone gives the same hash within one clinic and unrelated ones in two. */
export type PhoneHash = (phone: { tenantId: string; e164: string }) => string;

/**
 * HMAC-SHA256 in hex under a key of the clinic's own, derived by HKDF-SHA256 (RFC 5869).
 * @param key PHONE_HASH_KEY, 32 bytes
 */
export function createPhoneHash(key: Uint8Array): PhoneHash {
  if (key.length !== KEY_BYTES) throw new RangeError('The phone hash key must have 32 bytes');
  return ({ tenantId, e164 }) => createHmac('sha256', tenantKey(key, tenantId)).update(e164).digest('hex');
}

function tenantKey(key: Uint8Array, tenantId: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, tenantId, `patient-phone-hash/v${VERSION}`, KEY_BYTES));
}
