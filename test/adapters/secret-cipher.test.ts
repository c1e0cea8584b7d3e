import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { endpointSecret, type SealedPlace } from '../../domain/encryption/sealed-places.ts';
import { createSecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { SecretUnreadableError } from '../../domain/encryption/text-cipher.ts';
import { newWebhookSecret } from '../../adapters/webhooks/webhook-secret.ts';

const CLINIC = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10';
const OTHER_CLINIC = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11';
const PLACE = endpointSecret(CLINIC, 'endpoint-1');
const key = randomBytes(32);
const cipher = createSecretCipher([key]);

const text = fc.string({ unit: 'grapheme' });
const places: fc.Arbitrary<SealedPlace> = fc.record({
  purpose: fc.constantFrom('webhook-secret', 'call-number', 'event-body', 'kept-answer'),
  tenantId: fc.constantFrom(CLINIC, OTHER_CLINIC),
  context: fc.string(),
});

test('whatever is encrypted can be read again for the same row, in both formats', () => {
  fc.assert(
    fc.property(text, places, fc.constantFrom('v2', 'v3'), (plaintext, place, format) => {
      const [writer, reader] = [createSecretCipher([key], format), createSecretCipher([key], format)];
      expect(reader.decrypt(writer.encrypt(plaintext, place), place)).toBe(plaintext);
    }),
  );
});

test('it opens for no other purpose, clinic or row', () => {
  fc.assert(
    fc.property(text, places, places, (plaintext, place, other) => {
      fc.pre(
        ['purpose', 'tenantId', 'context'].some(
          (part) => Reflect.get(place, part) !== Reflect.get(other, part),
        ),
      );
      const encrypted = cipher.encrypt(plaintext, place);
      expect(() => cipher.decrypt(encrypted, other)).toThrow(SecretUnreadableError);
    }),
  );
});

test('what is changed in any character, cut at any byte or added to cannot be read', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('v2', 'v3'), (plaintext, format) => {
      const cipher = createSecretCipher([key], format);
      const encrypted = cipher.encrypt(plaintext, PLACE);
      for (let at = 0; at < encrypted.length; at += 1) {
        const flipped = String.fromCodePoint((encrypted.codePointAt(at) ?? 0) ^ 4);
        const changed = encrypted.slice(0, at) + flipped + encrypted.slice(at + 1);
        for (const wrong of [changed, encrypted.slice(0, at), encrypted.slice(at)]) {
          if (wrong !== encrypted) expect(() => cipher.decrypt(wrong, PLACE)).toThrow(SecretUnreadableError);
        }
      }
      for (const more of ['A', '=', '.', '!'])
        expect(() => cipher.decrypt(encrypted + more, PLACE)).toThrow(SecretUnreadableError);
    }),
    { numRuns: 25 },
  );
});

test('every key of the list opens, the first one seals, and each stored text names its key', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const before = createSecretCipher([older]);
  const during = createSecretCipher([newer, older]);
  const after = createSecretCipher([newer]);
  const [early, late] = [before.encrypt('whsec_1', PLACE), during.encrypt('whsec_2', PLACE)];
  expect([during.decrypt(early, PLACE), during.decrypt(late, PLACE)]).toEqual(['whsec_1', 'whsec_2']);
  expect(after.decrypt(late, PLACE)).toBe('whsec_2');
  expect(during.keyIds).toEqual([...after.keyIds, ...before.keyIds]);
  expect([early, late].map((stored) => stored.split('.')[1])).toEqual([...before.keyIds, ...after.keyIds]);
  expect(late.startsWith(`${after.header}.`)).toBe(true);
  expect(() => after.decrypt(early, PLACE)).toThrow(
    `The value was encrypted with the key ${before.keyIds.join()}, which is not in ENCRYPTION_KEY`,
  );
});

test('what no key made says so, and its message holds none of it', () => {
  for (const stored of ['', 'whsec_plain', 'v3.aaaaaaaa..', 'v2.not a key id..', 'v2.aaaaaaaa', '{"id":1}']) {
    expect(() => cipher.decrypt(stored, PLACE)).toThrow(
      /^(The encrypted value has a format that this version cannot read|The value was encrypted with (the key aaaaaaaa|a key), which is not in ENCRYPTION_KEY)$/,
    );
  }
});

test('the same secret is never stored twice alike, nor in clear', () => {
  const [first, second] = [cipher.encrypt('whsec_x', PLACE), cipher.encrypt('whsec_x', PLACE)];
  expect(first).not.toBe(second);
  expect(first.split('.')[1]).toBe(second.split('.')[1]);
  expect(first).not.toContain('whsec_x');
});

test('ten thousand clinics later the first one’s texts still open', () => {
  const encrypted = cipher.encrypt('whsec_x', PLACE);
  for (let nr = 0; nr <= 10_000; nr += 1) cipher.encrypt('', endpointSecret(String(nr), 'endpoint'));
  expect(cipher.decrypt(encrypted, PLACE)).toBe('whsec_x');
});

test('no key, and a key of another length, are refused', () => {
  expect(() => createSecretCipher([])).toThrow(RangeError);
  expect(() => createSecretCipher([randomBytes(32), randomBytes(16)])).toThrow(RangeError);
});

test('a new webhook secret is the prefix and standard base64 of at least 24 bytes, each time another', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    expect(bytes.length).toBeGreaterThanOrEqual(24);
    expect(bytes.toString('base64')).toBe(encoded);
  }
});
