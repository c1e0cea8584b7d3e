import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { HEX_DIGITS, shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import { encryptionKeyId } from '../encryption/encryption-key.ts';
import { Memory } from '../memory.ts';
import { canonicalNumber } from './read-phone-number.ts';

/** The first way of making the key; stored hashes stay comparable as long as it does not change. */
const VERSION = 1;
const KEY_BYTES = 32;

/** Clinics whose keys are kept: deriving one costs as much as validating a booking. */
const MAX_KEYS = 10_000;

interface Phone {
  tenantId: string;
  e164: string;
}

/**
 * Phones as they are stored and compared: the same phone, however it is written, gives the same hash within one clinic and
 * unrelated ones in two.
 * What the first of all keys has made stands as it is; what a later one has made, with the key's id and a full stop before it.
 */
export interface PhoneHash {
  (phone: Phone): string;
  /**
   * All hashes that rows of this phone may have: the one in use first, then by other keys while a key is exchanged, and of the number
   * as it is written, which older rows have.
   */
  every(phone: Phone): string[];
  /** Of a stored hash: the same phone's by the key in use. Null when a key made it that is not listed, or that comes after. */
  carriedOn(tenantId: string, stored: string): string | null;
  /** Of a hash as it is shown, whichever key has made it: what it is by the key in use. */
  maybeOf(tenantId: string, shown: string): string[];
  /** What the hashes of the key in use begin with; empty for the first of all. */
  prefix: string;
}

/** PHONE_HASH_KEY_PREVIOUS, PHONE_HASH_KEY and PHONE_HASH_KEY_NEXT: 32 bytes each. */
export interface PhoneHashKeys {
  /** The first of all comes first. Each goes on hashing what it was for the ones after it, for ever. */
  previous?: readonly Uint8Array[];
  current: Uint8Array;
  /** Rows hashed by it are found already, for other processes write them. */
  next?: Uint8Array | undefined;
}

/**
 * HMAC-SHA256 in hex under a key of the clinic's own, derived by HKDF-SHA256 (RFC 5869). Each key hashes what the one before it
 * has made of the phone, so that a stored hash is carried on to a new key though no one knows its phone.
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
    [known.length, ...steps.map((_, at) => at + 1)].map((count) => hashBy(count, phone));
  const inUse = ({ tenantId, e164 }: Phone) =>
    hashBy(known.length, { tenantId, e164: canonicalNumber(e164) });
  return Object.assign(inUse, {
    prefix,
    every({ tenantId, e164 }: Phone) {
      const numbers = [...new Set([canonicalNumber(e164), e164])];
      return [...new Set(numbers.flatMap((number) => allOf({ tenantId, e164: number })))];
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
