import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { EXCERPT_BYTES, ResponseExcerpt } from '../../../adapters/webhooks/webhook-client.ts';

function excerptOf(chunks: readonly Uint8Array[]) {
  const excerpt = new ResponseExcerpt();
  for (const chunk of chunks) excerpt.add(chunk);
  return excerpt;
}

test('whatever bytes arrive, the text is valid, without NUL and at most 16 KiB', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ size: 'large', maxLength: 9_000 }), { maxLength: 5 }), (chunks) => {
      const text = excerptOf(chunks).text();
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain('\0');
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(EXCERPT_BYTES);
    }),
  );
});

test('text of up to 16 KiB is kept as it is, however it was cut into chunks', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 500 }),
      fc.integer({ min: 1, max: 7 }),
      (text, size) => {
        fc.pre(!text.includes('\0'));
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size),
        );
        expect(excerptOf(chunks).text()).toBe(bytes.toString('utf8'));
      },
    ),
  );
});

test('broken bytes, which take three times their room as marks, stay within 16 KiB', () => {
  const excerpt = excerptOf([Buffer.alloc(EXCERPT_BYTES * 2, 0xff)]);
  expect(excerpt.isFull()).toBe(true);
  expect(excerpt.text()).toBe('\u{FFFD}'.repeat(Math.floor(EXCERPT_BYTES / 3)));
});
