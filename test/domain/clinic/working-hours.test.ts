import { describe, expect, test } from '@jest/globals';
import { specialHoursSchema, workingHoursSchema } from '../../../domain/clinic/hours/working-hours.schema.ts';

const LUNCH = [
  ['09:00', '13:00'],
  ['13:00', '24:00'],
];

describe('a week of a professional’s own', () => {
  test.each([{}, { mon: [] }, { mon: LUNCH, sun: [['00:00', '24:00']] }, { mon: LUNCH.toReversed() }])(
    'may be %j',
    (week) => {
      expect(workingHoursSchema.parse(week)).toEqual(week);
    },
  );

  test.each([
    [{ mon: [['13:00', '09:00']] }, 'mon.0'],
    [
      {
        tue: [
          ['09:00', '13:00'],
          ['12:59', '18:00'],
        ],
      },
      'tue',
    ],
    [{ tue: [['9:00', '13:00']] }, 'tue.0.0'],
    [{ tue: Array.from({ length: 11 }, (_, at) => [`0${at % 10}:00`, `0${at % 10}:30`]) }, 'tue'],
  ])('cannot be %j', (week, path) => {
    expect(wrongIn(workingHoursSchema.safeParse(week))).toBe(path);
  });
});

describe('hours on special dates', () => {
  test.each([{}, { '2028-02-29': [] }, { '2026-12-24': LUNCH }, { '2026-12-24': LUNCH.toReversed() }])(
    'may be %j',
    (dates) => {
      expect(specialHoursSchema.parse(dates)).toEqual(dates);
    },
  );

  test.each([
    [{ '2026-02-29': [] }, '2026-02-29'],
    [{ '2026-13-01': [] }, '2026-13-01'],
    [{ '24.12.2026': [] }, '24.12.2026'],
    [{ '2026-12-24': [['12:00', '12:00']] }, '2026-12-24.0'],
    [{ '2026-12-24': null }, '2026-12-24'],
  ])('cannot be %j', (dates, path) => {
    expect(wrongIn(specialHoursSchema.safeParse(dates))).toBe(path);
  });

  test('are kept for 400 dates at most', () => {
    const dates = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, day) => [
          new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
          [],
        ]),
      );
    expect([400, 401].map((count) => specialHoursSchema.safeParse(dates(count)).success)).toEqual([
      true,
      false,
    ]);
  });
});

function wrongIn({ error }: { error?: { issues: { path: PropertyKey[] }[] } | undefined }) {
  return error?.issues[0]?.path.join('.');
}
