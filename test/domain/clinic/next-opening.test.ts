import { describe, expect, test } from '@jest/globals';
import { clinicHoursOf } from '../../../domain/clinic/hours/business-hours.ts';
import { openingAt } from '../../../domain/clinic/hours/next-opening.ts';

const WEEK = {
  mon: [
    ['09:00', '13:00'],
    ['14:00', '18:00'],
  ],
  fri: [['09:00', '13:00']],
};

/** 2026-03-02 is a Monday. */
const at = (config: object, now: string) => {
  const hours = clinicHoursOf({ timezone: 'Europe/Lisbon', ...config });
  const { open, nextOpeningAt } = openingAt(hours, new Date(now));
  return open ? 'open' : (nextOpeningAt?.toISOString() ?? 'never');
};

describe('a clinic with weekly hours', () => {
  test.each([
    ['2026-03-02T08:59:59Z', '2026-03-02T09:00:00.000Z'],
    ['2026-03-02T09:00:00Z', 'open'],
    ['2026-03-02T12:59:59Z', 'open'],
    ['2026-03-02T13:00:00Z', '2026-03-02T14:00:00.000Z'],
    ['2026-03-02T18:00:00Z', '2026-03-06T09:00:00.000Z'],
    ['2026-03-06T13:00:00Z', '2026-03-09T09:00:00.000Z'],
    // Daylight saving begins on 29 March.
    ['2026-03-27T14:00:00Z', '2026-03-30T08:00:00.000Z'],
  ])('at %s: %s', (now, expected) => expect(at({ businessHours: WEEK }, now)).toBe(expected));

  test('that has holidays opens after them', () => {
    const dates = ['2026-03-06', '2026-03-09', '2026-03-13', '2026-03-16', '2026-03-20', '2026-03-23'];
    const specialHours = Object.fromEntries(dates.map((date) => [date, []]));
    expect(at({ businessHours: WEEK, specialHours }, '2026-03-03T12:00:00Z')).toBe(
      '2026-03-27T09:00:00.000Z',
    );
    expect(at({ businessHours: WEEK, specialHours }, '2026-03-06T10:00:00Z')).toBe(
      '2026-03-27T09:00:00.000Z',
    );
  });
});

test('a clinic without hours is open, and one without an opening opens never', () => {
  expect(at({}, '2026-03-01T03:00:00Z')).toBe('open');
  expect(at({ businessHours: null }, '2026-03-01T03:00:00Z')).toBe('open');
  expect(at({ businessHours: {} }, '2026-03-02T10:00:00Z')).toBe('never');
  const once = { businessHours: {}, specialHours: { '2026-12-24': [['09:00', '12:00']] } };
  expect(at(once, '2026-03-02T10:00:00Z')).toBe('2026-12-24T09:00:00.000Z');
  expect(at(once, '2026-12-25T10:00:00Z')).toBe('never');
});

test('one that is open over midnight is open at midnight', () => {
  const week = { mon: [['20:00', '24:00']], tue: [['00:00', '02:00']] };
  for (const now of ['2026-03-02T23:59:59Z', '2026-03-03T00:00:00Z'])
    expect(at({ businessHours: week }, now)).toBe('open');
});
