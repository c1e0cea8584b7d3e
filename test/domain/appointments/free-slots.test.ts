import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  freeSlots,
  nearestSlots,
  type ServiceLength,
  type TakenMs,
} from '../../../domain/appointments/availability.ts';
import {
  businessHoursSchema,
  type BusinessHours,
} from '../../../domain/clinic/hours/business-hours.schema.ts';
import { openRangesWithin } from '../../../domain/clinic/hours/open-ranges.ts';
import { slotFor, type Slot, type TimeRange } from '../../../domain/appointments/slot.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const ANA = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11';
const range = (from: string, until: string) => ({ from: new Date(from), until: new Date(until) });
const shown = (ranges: { from: Date; until: Date }[]) =>
  ranges.map(({ from, until }) => `${from.toISOString()}/${until.toISOString()}`);

function overlaps({ from, until }: TimeRange, { blockFrom, blockUntil }: Slot): boolean {
  return from < blockUntil && blockFrom < until;
}

function openRanges(week: BusinessHours | null, zone: string, within: TimeRange): TimeRange[] {
  const openOf = openRangesWithin({ zone, week, special: null }, within);
  return [...openOf({ workingHours: null, specialHours: null })];
}

describe('opening hours are local times', () => {
  const hours = { sun: [['00:30', '03:00']] as [string, string][] };

  test.each([
    [
      'Europe/Lisbon',
      '2026-03-29',
      '2026-03-29T00:30:00.000Z/2026-03-29T02:00:00.000Z',
      'loses an hour in spring',
    ],
    [
      'Europe/Lisbon',
      '2026-10-25',
      '2026-10-24T23:30:00.000Z/2026-10-25T03:00:00.000Z',
      'gains an hour in autumn',
    ],
    [
      'Atlantic/Azores',
      '2026-03-29',
      '2026-03-29T01:30:00.000Z/2026-03-29T03:00:00.000Z',
      'loses an hour in spring',
    ],
    [
      'Atlantic/Azores',
      '2026-10-25',
      '2026-10-25T00:30:00.000Z/2026-10-25T04:00:00.000Z',
      'gains an hour in autumn',
    ],
  ])('%s on %s: %s (%#: the day %s)', (zone, date, expected) => {
    const day = range(`${date}T02:00:00Z`, `${date}T02:00:01Z`);
    expect(shown(openRanges(hours, zone, day))).toEqual([expected]);
  });

  test('a clinic without business hours is open all day, 23 and 25 hours on the days of the change', () => {
    const lengths = ['2026-03-29', '2026-10-25', '2026-06-01'].map((date) => {
      const [day] = openRanges(null, 'Europe/Lisbon', range(`${date}T12:00:00Z`, `${date}T12:00:01Z`));
      return day && (day.until.getTime() - day.from.getTime()) / 3_600_000;
    });
    expect(lengths).toEqual([23, 25, 24]);
  });

  test('a weekday that is left out is closed', () => {
    expect(openRanges(hours, 'Europe/Lisbon', range('2026-03-30T00:00:00Z', '2026-04-04T00:00:00Z'))).toEqual(
      [],
    );
  });

  test.each([
    { mon: [['9:00', '13:00']] },
    { mon: [['13:00', '09:00']] },
    { mon: [['09:00', '24:01']] },
    { monday: [['09:00', '13:00']] },
    { mon: ['09:00'] },
  ])('%j are no business hours', (wrong) => {
    expect(businessHoursSchema.safeParse(wrong).success).toBe(false);
  });
});

function inMs(ranges: TimeRange[]): TakenMs[] {
  return ranges
    .map(({ from, until }): TakenMs => [from.getTime(), until.getTime()])
    .sort(([one], [other]) => one - other);
}

/** The free slots of a professional who is taken at these times. */
function slotsOf(
  open: TimeRange[],
  busy: TimeRange[],
  length: ServiceLength,
  day: TimeRange,
  now: Date,
): Slot[] {
  const inOrder = open.toSorted((a, b) => a.from.getTime() - b.from.getTime());
  const service = { ...length, serviceTypeId: null };
  const calendar = { professionalId: ANA, service, open: inOrder, busy: inMs(busy) };
  const slots = [...freeSlots([calendar], day, now)];
  return slots.map(({ professionalId: _professional, serviceTypeId: _service, ...slot }) => slot);
}

describe('free slots', () => {
  const morning = range('2026-06-01T09:00:00Z', '2026-06-01T11:00:00Z');

  test('stand on a grid of duration and buffer from the opening and end before it closes', () => {
    const slots = slotsOf([morning], [], { durationMinutes: 30, bufferMinutes: 10 }, morning, LONG_AGO);
    expect(slots.map(({ startsAt }) => startsAt.toISOString().slice(11, 16))).toEqual([
      '09:00',
      '09:40',
      '10:20',
    ]);
  });

  test('keep clear of a booking and of its buffer', () => {
    const busy = [range('2026-06-01T09:30:00Z', '2026-06-01T10:05:00Z')];
    const slots = slotsOf([morning], busy, { durationMinutes: 30, bufferMinutes: 0 }, morning, LONG_AGO);
    expect(slots.map(({ startsAt }) => startsAt.toISOString().slice(11, 16))).toEqual(['09:00', '10:30']);
  });

  test('lie in the future', () => {
    const now = new Date('2026-06-01T10:00:00Z');
    const slots = slotsOf([morning], [], { durationMinutes: 30, bufferMinutes: 0 }, morning, now);
    expect(slots.map(({ startsAt }) => startsAt.toISOString().slice(11, 16))).toEqual(['10:30']);
  });

  const minute = fc.integer({ min: 0, max: 24 * 60 });
  const at = (minutes: number) => new Date(Date.UTC(2026, 5, 1, 0, minutes));
  const ranges = fc.array(fc.tuple(minute, fc.integer({ min: 1, max: 300 })), { maxLength: 8 });
  const toRange = ([from, length]: [number, number]) => ({ from: at(from), until: at(from + length) });
  const service = fc.record({
    durationMinutes: fc.integer({ min: 5, max: 120 }),
    bufferMinutes: fc.integer({ min: 0, max: 30 }),
  });

  test('never overlap a booking, end after closing or start in the past, whatever the day looks like', () => {
    fc.assert(
      fc.property(ranges, ranges, service, minute, (openings, bookings, length, nowMinutes) => {
        const open = openings.map(toRange);
        const busy = bookings.map(toRange);
        const now = at(nowMinutes);
        const day = { from: at(0), until: at(24 * 60) };
        for (const slot of slotsOf(open, busy, length, day, now)) {
          expect(slot).toEqual(slotFor(slot.startsAt, length));
          expect(busy.some((taken) => overlaps(taken, slot))).toBe(false);
          expect(open.some(({ from, until }) => from <= slot.startsAt && slot.endsAt <= until)).toBe(true);
          expect(slot.startsAt > now).toBe(true);
        }
      }),
    );
  });

  test('none is left out and none stands twice, in the order of their starts', () => {
    fc.assert(
      fc.property(ranges, ranges, service, (openings, bookings, length) => {
        const [open, busy] = [openings.map(toRange), bookings.map(toRange)];
        const day = { from: at(0), until: at(24 * 60) };
        const stepMs = (length.durationMinutes + length.bufferMinutes) * 60_000;
        const expected = open.flatMap(({ from, until }) => {
          const count =
            Math.floor((until.getTime() - from.getTime() - length.durationMinutes * 60_000) / stepMs) + 1;
          return Array.from({ length: Math.max(0, count) }, (_, n) =>
            slotFor(new Date(from.getTime() + n * stepMs), length),
          );
        });
        const free = expected.filter(
          (slot) => slot.startsAt < day.until && !busy.some((taken) => overlaps(taken, slot)),
        );
        const starts = [...new Set(free.map(({ startsAt }) => startsAt.getTime()))].sort((a, b) => a - b);
        expect(slotsOf(open, busy, length, day, LONG_AGO).map(({ startsAt }) => startsAt.getTime())).toEqual(
          starts,
        );
      }),
    );
  });

  test('of several professionals come by start and then by professional, each as if alone', () => {
    const calendars = fc.array(fc.tuple(ranges, ranges), { maxLength: 4 });
    fc.assert(
      fc.property(calendars, service, (people, length) => {
        const all = people.map(([openings, bookings], nr) => ({
          professionalId: `${9 - nr}`,
          service: { ...length, serviceTypeId: null },
          open: openings.map(toRange).sort((a, b) => a.from.getTime() - b.from.getTime()),
          busy: inMs(bookings.map(toRange)),
        }));
        const day = { from: at(0), until: at(24 * 60) };
        const found = [...freeSlots(all, day, LONG_AGO)];
        const key = ({ startsAt, professionalId }: (typeof found)[number]) =>
          `${startsAt.toISOString()} ${professionalId}`;
        const alone = all.flatMap((calendar) => [...freeSlots([calendar], day, LONG_AGO)]);
        expect(found.map(key)).toEqual(alone.map(key).sort());
      }),
    );
  });

  test('the nearest ones are offered in the order of the day', () => {
    const slots = slotsOf([morning], [], { durationMinutes: 30, bufferMinutes: 0 }, morning, LONG_AGO);
    const nearest = nearestSlots(slots, new Date('2026-06-01T10:10:00Z'), 2);
    expect(nearest.map(({ startsAt }) => startsAt.toISOString().slice(11, 16))).toEqual(['10:00', '10:30']);
  });
});
