import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';

const key = Buffer.alloc(32, 7);
const hash = createPhoneHash({ current: key });
const clinic = '01900000-0000-7000-8000-000000000001';
const otherClinic = '01900000-0000-7000-8000-000000000002';
const e164 = '+351912345678';

/** HKDF written out from RFC 5869 §2: an independent way to the same key. */
function expectedHash(tenantId: string, phone: string): string {
  const pseudorandomKey = createHmac('sha256', tenantId).update(key).digest();
  const info = Buffer.concat([Buffer.from('patient-phone-hash/v1'), Buffer.from([1])]);
  const tenantKey = createHmac('sha256', pseudorandomKey).update(info).digest();
  return createHmac('sha256', tenantKey).update(phone).digest('hex');
}

test('a phone’s hash is HMAC-SHA256 in hex under HKDF of key, clinic and version', () => {
  expect(hash({ tenantId: clinic, e164 })).toBe(expectedHash(clinic, e164));
  expect(hash({ tenantId: clinic, e164 })).toMatch(/^[0-9a-f]{64}$/);
});

test('the same patient cannot be followed from one clinic to another', () => {
  expect(hash({ tenantId: clinic, e164 })).not.toBe(hash({ tenantId: otherClinic, e164 }));
});

test('two phones and two keys give unrelated hashes', () => {
  expect(hash({ tenantId: clinic, e164: '+351912345679' })).not.toBe(hash({ tenantId: clinic, e164 }));
  expect(createPhoneHash({ current: randomBytes(32) })({ tenantId: clinic, e164 })).not.toBe(
    hash({ tenantId: clinic, e164 }),
  );
});

test('a key of another length is refused', () => {
  expect(() => createPhoneHash({ current: randomBytes(31) })).toThrow(RangeError);
});

const [older, newer, newest] = [key, Buffer.alloc(32, 8), Buffer.alloc(32, 9)] as const;
const phone = { tenantId: clinic, e164 };

test('each key hashes what the one before it has made, and its name stands before that', () => {
  const changed = createPhoneHash({ previous: [older], current: newer });
  expect(changed(phone)).toMatch(/^[0-9a-f]{8}\.[0-9a-f]{64}$/);
  expect(changed(phone).startsWith(changed.prefix)).toBe(true);
  expect(changed.carriedOn(clinic, hash(phone))).toBe(changed(phone));
  const again = createPhoneHash({ previous: [older, newer], current: newest });
  expect(again.carriedOn(clinic, changed(phone))).toBe(again(phone));
  expect(again.carriedOn(clinic, hash(phone))).toBe(again(phone));
  expect(again.carriedOn(clinic, again(phone))).toBe(again(phone));
  expect(again.maybeOf(clinic, changed(phone).slice(-64))).toContain(again(phone));
  expect(again.every(phone)).toEqual([again(phone), hash(phone), changed(phone)]);
});

test('the key to come is looked for and not used, and what it has made has no way back', () => {
  const prepared = createPhoneHash({ current: older, next: newer });
  const changed = createPhoneHash({ previous: [older], current: newer });
  expect([prepared(phone), prepared.prefix]).toEqual([hash(phone), '']);
  expect(prepared.every(phone)).toEqual([hash(phone), changed(phone)]);
  expect(prepared.carriedOn(clinic, changed(phone))).toBeNull();
  expect(changed.carriedOn(clinic, `00000000.${'a'.repeat(64)}`)).toBeNull();
});

test('a phone with its trunk zero is the same phone, and older rows are found by what was sent', () => {
  const [short, long] = ['+442079460018', '+4402079460018'].map((number) => ({
    tenantId: clinic,
    e164: number,
  }));
  expect(hash(long ?? phone)).toBe(hash(short ?? phone));
  expect(hash.every(long ?? phone)).toEqual([hash(short ?? phone), expectedHash(clinic, '+4402079460018')]);
  expect(hash.every(short ?? phone)).toEqual([hash(short ?? phone)]);
});
