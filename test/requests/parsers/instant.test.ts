import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { instant, instantParameter } from '../../../api/contract/fields.ts';
import { EARLIEST_MS, LATEST_MS } from '../../../domain/instant-range.ts';

const DAY_MS = 86_400_000;
const schema = instant();
/** Of days on which every offset stays within the years that have four digits. */
const moment = fc.integer({ min: EARLIEST_MS + DAY_MS, max: LATEST_MS - DAY_MS });
const offsetMinutes = fc.integer({ min: -14 * 60, max: 14 * 60 });

function written(ms: number, minutes: number): string {
  const local = new Date(ms + minutes * 60_000).toISOString().slice(0, -1);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

test('a moment is the same in whatever offset it is written, in a body and in a query whose + became a space', () => {
  fc.assert(
    fc.property(moment, offsetMinutes, (ms, minutes) => {
      const text = written(ms, minutes);
      expect(schema.parse(text).getTime()).toBe(ms);
      expect(instantParameter().parse(text.replace('+', ' ')).getTime()).toBe(ms);
    }),
  );
});

const piece = fc.constantFrom(
  '2024',
  '2023',
  '-',
  '02',
  '29',
  '30',
  '12',
  '13',
  '00',
  'T',
  't',
  ' ',
  ':',
  '24',
  '59',
  '60',
  '.',
  '123456789',
  'Z',
  'z',
  '+',
  '01',
  '99',
);
const odd = fc.oneof(
  fc.string(),
  fc.array(piece, { maxLength: 16 }).map((parts) => parts.join('')),
  fc.tuple(moment, offsetMinutes, fc.nat(), piece).map(([ms, minutes, place, other]) => {
    const text = written(ms, minutes);
    const at = place % text.length;
    return text.slice(0, at) + other + text.slice(at + other.length);
  }),
);

test('whatever is written is refused, or is the moment that another reader of ISO 8601 sees in it', () => {
  fc.assert(
    fc.property(odd, (text) => {
      const read = schema.safeParse(text);
      if (!read.success) return;
      const theirs = DateTime.fromISO(text.toUpperCase());
      expect([text, read.data.getTime()]).toEqual([text, theirs.toMillis()]);
    }),
    { numRuns: 5000 },
  );
});
