import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { newApiKey, parseApiKey } from '../../../domain/clinic/api-key.ts';
import { isSameSecret } from '../../../domain/encryption/proofs.ts';
import { SERVICE_MODES } from '../../../domain/service-mode.ts';

const mode = fc.constantFrom(...SERVICE_MODES);
const character = fc.constantFrom(
  ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- '.split(''),
);

test('a new key is read as what it is', () => {
  fc.assert(
    fc.property(mode, (of) => {
      const made = newApiKey(of);
      const read = parseApiKey(made.key);
      expect(read).toMatchObject({ mode: of, publicId: made.publicId });
      expect(isSameSecret(read?.secretHash ?? Buffer.alloc(0), made.secretHash)).toBe(true);
    }),
  );
});

test('a key with one character changed, left out, added or two swapped is known to be none before anyone is asked', () => {
  fc.assert(
    fc.property(mode, fc.nat(), character, (of, place, other) => {
      const { key } = newApiKey(of);
      const at = place % key.length;
      const [before, after] = [key.slice(0, at), key.slice(at + 1)];
      const swapped = before + after.slice(0, 1) + key.charAt(at) + after.slice(1);
      for (const mistyped of [
        before + other + after,
        before + after,
        before + other + key.slice(at),
        swapped,
      ]) {
        if (mistyped !== key) expect(parseApiKey(mistyped)).toBeNull();
      }
    }),
    { numRuns: 1000 },
  );
});

test('no other text is a key', () => {
  const nearly = fc.tuple(mode, fc.string(), fc.string()).map(([of, id, rest]) => `svc_${of}_${id}_${rest}`);
  fc.assert(fc.property(fc.oneof(fc.string(), nearly), (text) => expect(parseApiKey(text)).toBeNull()));
});
