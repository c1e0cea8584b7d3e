import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createSecretCipher, SecretUnreadableError } from '../../adapters/secret-cipher.ts';
import { newWebhookSecret } from '../../adapters/webhooks/webhook-secret.ts';

const cipher = createSecretCipher(randomBytes(32));

test('whatever is encrypted can be read again for the same row', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plaintext, context) => {
      expect(cipher.decrypt(cipher.encrypt(plaintext, context), context)).toBe(plaintext);
    }),
  );
});

test('a ciphertext that is moved to another row cannot be read', () => {
  const encrypted = cipher.encrypt('whsec_x', 'endpoint-1');
  expect(() => cipher.decrypt(encrypted, 'endpoint-2')).toThrow(SecretUnreadableError);
});

test('a ciphertext that is changed in any character, or cut, cannot be read', () => {
  const encrypted = cipher.encrypt('whsec_x', 'endpoint-1');
  for (let at = 0; at < encrypted.length; at += 1) {
    const flipped = String.fromCodePoint((encrypted.codePointAt(at) ?? 0) ^ 4);
    const changed = encrypted.slice(0, at) + flipped + encrypted.slice(at + 1);
    expect(() => cipher.decrypt(changed, 'endpoint-1')).toThrow(SecretUnreadableError);
    expect(() => cipher.decrypt(encrypted.slice(0, at), 'endpoint-1')).toThrow(SecretUnreadableError);
  }
});

test('another key says so, and tells nothing else', () => {
  const encrypted = cipher.encrypt('whsec_x', 'endpoint-1');
  const another = createSecretCipher(randomBytes(32));
  expect(() => another.decrypt(encrypted, 'endpoint-1')).toThrow('Encrypted under another ENCRYPTION_KEY');
});

test('the same secret is never stored twice alike, nor in clear', () => {
  const [first, second] = [cipher.encrypt('whsec_x', 'e'), cipher.encrypt('whsec_x', 'e')];
  expect(first).not.toBe(second);
  expect(first.split('.')[1]).toBe(second.split('.')[1]);
  expect(first).not.toContain('whsec_x');
});

test('a key of another length is refused', () => {
  expect(() => createSecretCipher(randomBytes(16))).toThrow(RangeError);
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
