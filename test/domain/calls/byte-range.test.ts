import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { requestedRange } from '../../../domain/calls/byte-range.ts';

const size = fc.integer({ min: 1, max: 1000 });
const offset = fc.integer({ min: 0, max: 1100 });

test('a range from an offset to another is cut at the end of the resource', () => {
  fc.assert(
    fc.property(size, offset, offset, (bytes, a, b) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      const expected = first < bytes ? { first, last: Math.min(last, bytes - 1) } : 'unsatisfiable';
      expect(requestedRange(`bytes=${first}-${last}`, bytes)).toEqual(expected);
    }),
  );
});

test('a suffix asks for the last bytes, at most all', () => {
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 1100 }), (bytes, count) => {
      expect(requestedRange(`bytes=-${count}`, bytes)).toEqual({
        first: Math.max(0, bytes - count),
        last: bytes - 1,
      });
    }),
  );
});

/** What a grammar of RFC 9110, section 14.1.1, makes of a header with one range; blanks may stand around it. */
function asTheStandardReads(header: string): [from: string, to: string] | null {
  const [unit, ranges, ...more] = header.split('=');
  if (unit?.toLowerCase() !== 'bytes' || ranges === undefined || more.length > 0) return null;
  const [from, to, ...others] = ranges.replaceAll(/^[ \t]+|[ \t]+$/g, '').split('-');
  const isRange =
    to !== undefined && others.length === 0 && [from, to].every((end) => /^\d*$/.test(end ?? ''));
  return isRange && `${from}${to}` !== '' ? [from ?? '', to] : null;
}

const oddHeader = fc
  .array(fc.constantFrom('bytes', 'Bytes', '=', '-', ',', ' ', '\t', '0', '7', '12', '-1', '+3', 'a'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

test('whatever a header says, what is read lies in the resource, and what is no range asks for the whole', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        oddHeader,
        fc.string(),
        oddHeader.map((text) => `bytes=${text}`),
      ),
      size,
      (header, bytes) => {
        const read = requestedRange(header, bytes);
        if (asTheStandardReads(header) === null) expect(read).toBeNull();
        if (read === null || read === 'unsatisfiable') return;
        expect(read.first).toBeGreaterThanOrEqual(0);
        expect(read.last).toBeGreaterThanOrEqual(read.first);
        expect(read.last).toBeLessThan(bytes);
      },
    ),
    { numRuns: 5000 },
  );
});

test.each([
  undefined,
  '',
  'bytes=',
  'bytes=-',
  'items=0-1',
  'bytes=5-2',
  'bytes=0-1,3-4',
  'bytes=a-b',
  'bytes=1 0-20',
  'by tes=0-5',
])('%j asks for the whole', (header) => {
  expect(requestedRange(header, 10)).toBeNull();
});
