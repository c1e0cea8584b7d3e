import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createPhoneHash } from '../../adapters/phone-hash.ts';

const key = Buffer.alloc(32, 7);
const hash = createPhoneHash(key);
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
  expect(createPhoneHash(randomBytes(32))({ tenantId: clinic, e164 })).not.toBe(
    hash({ tenantId: clinic, e164 }),
  );
});

test('a key of another length is refused', () => {
  expect(() => createPhoneHash(randomBytes(31))).toThrow(RangeError);
});
