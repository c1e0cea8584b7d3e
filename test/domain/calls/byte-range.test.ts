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

test.each([undefined, '', 'bytes=', 'bytes=-', 'items=0-1', 'bytes=5-2', 'bytes=0-1,3-4', 'bytes=a-b'])(
  '%j asks for the whole',
  (header) => {
    expect(requestedRange(header, 10)).toBeNull();
  },
);
