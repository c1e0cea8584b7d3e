import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { cursorByName, cursorByTime } from '../../domain/lists/cursor.schema.ts';
import { EARLIEST_MS, LATEST_MS } from '../../domain/instant-range.ts';

const byTime = cursorByTime('calls', 'startedAt');
const byName = cursorByName('services');
const aTime = fc.record({
  startedAt: fc.integer({ min: EARLIEST_MS, max: LATEST_MS }).map((ms) => new Date(ms)),
  id: fc.uuid(),
});
const aName = fc.record({
  name: fc.string({ unit: 'grapheme' }).filter((name) => !name.includes('\0')),
  id: fc.uuid(),
});

test('a cursor leads back to the place that it was made for, whatever the names', () => {
  fc.assert(
    fc.property(aTime, (place) => expect(byTime.parameter.parse(byTime.encode(place))).toEqual(place)),
  );
  fc.assert(
    fc.property(aName, (place) => expect(byName.parameter.parse(byName.encode(place))).toEqual(place)),
  );
});

test('a cursor of another list is none', () => {
  const elsewhere = cursorByTime('events', 'startedAt');
  fc.assert(
    fc.property(aTime, (place) =>
      expect(elsewhere.parameter.safeParse(byTime.encode(place)).success).toBe(false),
    ),
  );
});

/** JSON that is nearly a cursor's, and text that is none. */
const forged = fc.oneof(
  fc.string(),
  fc.base64String().map((text) => text.replaceAll(/[+/=]/g, '')),
  fc.json().map((json) => Buffer.from(json).toString('base64url')),
  fc
    .record({
      list: fc.constantFrom('calls', 'events', null),
      place: fc.tuple(fc.jsonValue(), fc.jsonValue()),
    })
    .map((content) => Buffer.from(JSON.stringify(content)).toString('base64url')),
  fc.tuple(aTime, fc.nat(), fc.nat(255)).map(([place, at, byte]) => {
    const bytes = Buffer.from(byTime.encode(place), 'base64url');
    bytes[at % bytes.length] = byte;
    return bytes.toString('base64url');
  }),
);

test('whatever someone forges is refused, or is a place as the list makes it', () => {
  fc.assert(
    fc.property(forged, (text) => {
      const read = byTime.parameter.safeParse(text);
      if (!read.success) return;
      const { startedAt, id } = read.data;
      const ms = startedAt.getTime();
      expect(Number.isInteger(ms) && ms >= EARLIEST_MS && ms <= LATEST_MS).toBe(true);
      expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
      expect(byTime.parameter.parse(byTime.encode(read.data))).toEqual(read.data);
    }),
    { numRuns: 2000 },
  );
});
