import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { daysSinceVisit, recallDay, recallDueBefore } from '../../domain/recall.ts';

/** Half, three-quarter and whole hours, both hemispheres, changes at midnight, and none at all. */
const ZONES = [
  'Europe/Lisbon',
  'Atlantic/Azores',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Australia/Eucla',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Africa/Cairo',
];

function isDue(visit: string, today: string): boolean {
  const zone = 'Europe/Lisbon';
  const lastVisitAt = DateTime.fromISO(`${visit}T23:59:59.999`, { zone }).toJSDate();
  return lastVisitAt < recallDueBefore({ zone, date: today });
}

describe('six calendar months', () => {
  test.each([
    ['2026-01-15', '2026-07-15'],
    // Months that are too short.
    ['2025-08-31', '2026-02-28'],
    ['2025-08-30', '2026-02-28'],
    ['2025-08-29', '2026-02-28'],
    ['2025-08-28', '2026-02-28'],
    ['2023-08-31', '2024-02-29'],
    ['2023-08-29', '2024-02-29'],
    ['2023-08-28', '2024-02-28'],
    ['2026-03-31', '2026-09-30'],
    ['2026-10-31', '2027-04-30'],
    // Leap day.
    ['2024-02-29', '2024-08-29'],
    ['2025-02-28', '2025-08-28'],
    ['2025-12-31', '2026-06-30'],
  ])('a visit on %s comes due on %s and not the day before', (visit, due) => {
    const dayBefore = DateTime.fromISO(due, { zone: 'utc' }).minus({ days: 1 }).toFormat('yyyy-MM-dd');
    expect(isDue(visit, due)).toBe(true);
    expect(isDue(visit, dayBefore)).toBe(false);
  });

  test('for any visit and any day the bound says what adding six months says, in every zone', () => {
    const visitMs = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2031, 0, 1) });
    const daysLater = fc.integer({ min: 170, max: 195 });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), visitMs, daysLater, (zone, ms, days) => {
        const visit = DateTime.fromMillis(ms, { zone });
        const date = visit.startOf('day').plus({ days }).toFormat('yyyy-MM-dd');
        const dueOn = DateTime.utc(visit.year, visit.month, visit.day).plus({ months: 6 });
        const expected = dueOn.toFormat('yyyy-MM-dd') <= date;
        expect(ms < recallDueBefore({ zone, date }).getTime()).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

test('days since the visit count local dates, whatever the clocks did', () => {
  const day = { zone: 'Europe/Lisbon', date: '2026-09-02' };
  expect(daysSinceVisit(new Date('2026-03-02T23:30:00Z'), day)).toBe(184);
  expect(daysSinceVisit(new Date('2026-03-03T00:30:00Z'), day)).toBe(183);
  // A whole local day behind: it was still the 2nd of March in New York.
  expect(daysSinceVisit(new Date('2026-03-03T00:30:00Z'), { ...day, zone: 'America/New_York' })).toBe(184);
});

test('any visit that is due lies between 181 and 184 days back on its day, and one more the next', () => {
  const visitMs = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2031, 0, 1) });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), visitMs, (zone, ms) => {
      const visit = DateTime.fromMillis(ms, { zone });
      const due = DateTime.utc(visit.year, visit.month, visit.day).plus({ months: 6 });
      const on = (date: DateTime) =>
        daysSinceVisit(visit.toJSDate(), { zone, date: date.toFormat('yyyy-MM-dd') });
      expect(on(due)).toBeGreaterThanOrEqual(181);
      expect(on(due)).toBeLessThanOrEqual(184);
      expect(on(due.plus({ days: 1 }))).toBe(on(due) + 1);
    }),
  );
});

test('the day of recalls begins at 09:00 by the clinic’s clock, to the second', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.date({ min: new Date('2020-01-01'), max: new Date('2031-01-01'), noInvalidDate: true }),
      (zone, date) => {
        const nine = DateTime.fromJSDate(date, { zone }).startOf('day').set({ hour: 9 });
        expect(recallDay(zone, nine.minus({ milliseconds: 1 }).toJSDate())).toBeNull();
        expect(recallDay(zone, nine.toJSDate())).toEqual({ zone, date: nine.toFormat('yyyy-MM-dd') });
        // A schedule that ticks every quarter of an hour meets it.
        expect(nine.toMillis() % 900_000).toBe(0);
      },
    ),
  );
});

test('a clinic without a zone, or with one that no one knows, goes by the default', () => {
  const now = new Date('2026-07-01T08:30:00Z');
  expect(recallDay(null, now)).toEqual({ zone: 'Europe/Lisbon', date: '2026-07-01' });
  expect(recallDay('Mars/Olympus', now)).toEqual({ zone: 'Europe/Lisbon', date: '2026-07-01' });
});
