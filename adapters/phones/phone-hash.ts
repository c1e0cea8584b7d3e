import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { HEX_DIGITS, shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import { encryptionKeyId } from '../encryption/encryption-key.ts';
import { Memory } from '../memory.ts';
import { canonicalNumber } from './read-phone-number.ts';

/** The version of the key derivation; changing it makes stored hashes incomparable. */
const VERSION = 1;
const KEY_BYTES = 32;

/** The number of cached clinic keys: deriving a key takes as long as validating a booking. */
const MAX_KEYS = 10_000;

interface Phone {
  tenantId: string;
  e164: string;
}

/**
 * Hashes with which phones are stored and compared. Within a clinic, every spelling of a phone has the same hash; the
 * hashes of two clinics are unrelated. Hashes of the very first key have no prefix; later ones start with the key's id
 * and a dot.
 */
export interface PhoneHash {
  (phone: Phone): string;
  /**
   * All hashes under which a phone may be stored: with the current key first, then with other keys while keys are
   * rotated, and of the number as written, for older rows.
   */
  every(phone: Phone): string[];
  /** Converts a stored hash to the current key. Null when its key is not listed or comes later. */
  carriedOn(tenantId: string, stored: string): string | null;
  /** All possible hashes with the current key for a displayed hash, whatever key it was made with. */
  maybeOf(tenantId: string, shown: string): string[];
  /** The prefix of the current key's hashes; empty for the very first key. */
  prefix: string;
}

/** PHONE_HASH_KEY_PREVIOUS, PHONE_HASH_KEY and PHONE_HASH_KEY_NEXT: 32 bytes each. */
export interface PhoneHashKeys {
  /** Earlier keys, oldest first. Each remains part of the hash chain forever. */
  previous?: readonly Uint8Array[];
  current: Uint8Array;
  /**
   * The key of a rotation that has begun. It is already used for searching, because other processes may write with it.
   */
  next?: Uint8Array | undefined;
}

/**
 * HMAC-SHA256 in hex under a key per clinic, derived with HKDF-SHA256 (RFC 5869). Each key hashes the result of the
 * previous one, so that a stored hash can be converted to a new key without knowing the phone.
 */
export function createPhoneHash({ previous = [], current, next }: PhoneHashKeys): PhoneHash {
  const steps = [...previous, current, ...(next ? [next] : [])].map(hashStep);
  const known = steps.slice(0, previous.length + 1);
  const prefix = known.at(-1)?.prefix ?? '';
  const through = (some: readonly HashStep[], tenantId: string, text: string) =>
    some.reduce((hashed, step) => step.hash(tenantId, hashed), text);
  const hashBy = (count: number, { tenantId, e164 }: Phone) =>
    (steps[count - 1]?.prefix ?? '') + through(steps.slice(0, count), tenantId, e164);
  const allOf = (phone: Phone) =>
    [...new Set([known.length, ...steps.map((_, at) => at + 1)])].map((count) => hashBy(count, phone));
  const inUse = ({ tenantId, e164 }: Phone) =>
    hashBy(known.length, { tenantId, e164: canonicalNumber(e164) });
  return Object.assign(inUse, {
    prefix,
    every({ tenantId, e164 }: Phone) {
      const numbers = [...new Set([canonicalNumber(e164), e164])];
      return numbers.flatMap((number) => allOf({ tenantId, e164: number }));
    },
    maybeOf: (tenantId: string, shown: string) =>
      known.map((_, at) => prefix + through(known.slice(at + 1), tenantId, shown)),
    carriedOn(tenantId: string, stored: string) {
      const from = known.findIndex((step) => step.prefix === stored.slice(0, -HEX_DIGITS));
      if (from < 0) return null;
      return prefix + through(known.slice(from + 1), tenantId, shownPhoneHash(stored));
    },
  });
}

type HashStep = ReturnType<typeof hashStep>;

function hashStep(key: Uint8Array, at: number) {
  if (key.length !== KEY_BYTES) throw new RangeError('A phone hash key must have 32 bytes');
  const keys = new Memory<KeyObject>(MAX_KEYS);
  const keyOf = (tenantId: string) => keys.of(tenantId, () => tenantKey(key, tenantId));
  return {
    prefix: at === 0 ? '' : `${encryptionKeyId(key)}.`,
    hash: (tenantId: string, text: string): string =>
      createHmac('sha256', keyOf(tenantId)).update(text).digest('hex'),
  };
}

function tenantKey(key: Uint8Array, tenantId: string): KeyObject {
  const info = `patient-phone-hash/v${VERSION}`;
  return createSecretKey(new Uint8Array(hkdfSync('sha256', key, tenantId, info, KEY_BYTES)));
}
