import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The first way of making the key; stored hashes stay comparable as long as it does not change. */
const VERSION = 1;
const KEY_BYTES = 32;

/** Clinics whose keys are kept: deriving one costs as much as validating a booking. */
const MOST_KEYS = 10_000;

/** `patientPhoneHash`: the same phone gives the same hash within one clinic and unrelated ones in two. */
export type PhoneHash = (phone: { tenantId: string; e164: string }) => string;

/**
 * HMAC-SHA256 in hex under a key of the clinic's own, derived by HKDF-SHA256 (RFC 5869).
 * @param key PHONE_HASH_KEY, 32 bytes
 */
export function createPhoneHash(key: Uint8Array): PhoneHash {
  if (key.length !== KEY_BYTES) throw new RangeError('The phone hash key must have 32 bytes');
  const keys = new Map<string, KeyObject>();
  function keyOf(tenantId: string): KeyObject {
    const known = keys.get(tenantId);
    if (known) return known;
    if (keys.size === MOST_KEYS) keys.clear();
    const derived = tenantKey(key, tenantId);
    keys.set(tenantId, derived);
    return derived;
  }
  return ({ tenantId, e164 }) => createHmac('sha256', keyOf(tenantId)).update(e164).digest('hex');
}

function tenantKey(key: Uint8Array, tenantId: string): KeyObject {
  const info = `patient-phone-hash/v${VERSION}`;
  return createSecretKey(new Uint8Array(hkdfSync('sha256', key, tenantId, info, KEY_BYTES)));
}
