import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createRecordingLinks } from '../../../domain/calls/recording-link.ts';

const NOW = new Date('2026-03-02T09:30:00.000Z');
const MAKER = { kind: 'key', id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a80' } as const;
const DAY_MS = 86_400_000;
const links = createRecordingLinks([Buffer.alloc(32, 1)], 'http://api.test');

function proofOf(url: string) {
  const { searchParams } = new URL(url);
  const read = (name: string) => searchParams.get(name) ?? '';
  return { expires: read('expires'), by: read('by'), signature: read('signature') };
}

test('a link opens its recording at every moment of its day, and never after', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 * DAY_MS }), (id, laterMs) => {
      const proof = proofOf(links.linkTo(id, MAKER, NOW).url);
      const later = new Date(NOW.getTime() + laterMs);
      expect(links.isValid(id, proof, later)).toBe(laterMs < DAY_MS);
    }),
  );
});

test('what someone changed in a link opens nothing: not its end, not its recording, not its maker, not a bit of its signature', () => {
  const otherTimes = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.constantFrom('', 'Infinity', 'NaN', '1e15'),
  );
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), otherTimes, fc.nat(31), fc.nat(7), (id, other, expires, byte, bit) => {
      fc.pre(id !== other);
      const proof = proofOf(links.linkTo(id, MAKER, NOW).url);
      const bytes = Buffer.from(proof.signature, 'base64url');
      bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
      expect(links.isValid(other, proof, NOW)).toBe(false);
      expect(links.isValid(id, { ...proof, expires }, NOW)).toBe(expires === proof.expires);
      expect(links.isValid(id, { ...proof, by: `session:${MAKER.id}` }, NOW)).toBe(false);
      expect(links.isValid(id, { ...proof, by: `key:${other}` }, NOW)).toBe(false);
      expect(links.isValid(id, { ...proof, signature: bytes.toString('base64url') }, NOW)).toBe(false);
    }),
  );
});

test('whatever is given as a signature is refused and breaks nothing', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string({ unit: 'binary' }), (id, signature) => {
      const proof = proofOf(links.linkTo(id, MAKER, NOW).url);
      expect(links.isValid(id, { ...proof, signature }, NOW)).toBe(false);
    }),
  );
});
