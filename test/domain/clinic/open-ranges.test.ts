import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { WEEKDAYS } from '../../../domain/clinic/hours/business-hours.schema.ts';
import { clinicHoursOf, type ClinicHours } from '../../../domain/clinic/hours/business-hours.ts';
import { openRangesWithin, type OwnHours } from '../../../domain/clinic/hours/open-ranges.ts';
import type { SpecialHours, WorkingHours } from '../../../domain/clinic/hours/working-hours.schema.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const AS_THE_CLINIC: OwnHours = { workingHours: null, specialHours: null };

function ranges(clinic: Partial<ClinicHours>, own: Partial<OwnHours>, within: TimeRange): TimeRange[] {
  const hours = { zone: 'Europe/Lisbon', week: null, special: null, ...clinic };
  return [...openRangesWithin(hours, within)({ ...AS_THE_CLINIC, ...own })];
}

/** As people of the zone read them. */
function shown(all: TimeRange[], zone = 'Europe/Lisbon'): string[] {
  const local = (at: Date) => DateTime.fromJSDate(at, { zone }).toFormat('HH:mm');
  return all.map(({ from, until }) => `${local(from)}–${local(until)}`);
}

function dayOf(date: string, zone = 'Europe/Lisbon'): TimeRange {
  const start = DateTime.fromISO(date, { zone });
  return { from: start.toJSDate(), until: start.plus({ days: 1 }).startOf('day').toJSDate() };
}

describe('who works when', () => {
  const week: WorkingHours = { mon: [['09:00', '18:00']], tue: [['09:00', '18:00']] };
  const [monday, tuesday, sunday] = ['2026-03-02', '2026-03-03', '2026-03-01'];

  test.each<[string, Partial<ClinicHours>, Partial<OwnHours>, string, string[]]>([
    ['as the clinic, without hours of their own', { week }, {}, monday, ['09:00–18:00']],
    [
      'in what both weeks have in common',
      { week },
      {
        workingHours: {
          mon: [
            ['08:00', '10:00'],
            ['17:00', '19:00'],
          ],
        },
      },
      monday,
      ['09:00–10:00', '17:00–18:00'],
    ],
    ['not on a weekday that their week leaves out', { week }, { workingHours: { mon: [] } }, tuesday, []],
    ['not when the clinic is closed', { week }, { workingHours: { sun: [['09:00', '12:00']] } }, sunday, []],
    [
      'on what a special date of the clinic leaves of their week',
      { week, special: { [monday]: [['12:00', '20:00']] } },
      { workingHours: { mon: [['10:00', '19:00']] } },
      monday,
      ['12:00–19:00'],
    ],
    ['not on a holiday of the clinic', { special: { [monday]: [] } }, {}, monday, []],
    [
      'on a date of their own, whatever both weeks and the clinic’s date say',
      { week, special: { [sunday]: [] } },
      { workingHours: {}, specialHours: { [sunday]: [['07:00', '08:00']] } },
      sunday,
      ['07:00–08:00'],
    ],
    [
      'not on a date of their own without hours',
      { week },
      { workingHours: week, specialHours: { [monday]: [] } },
      monday,
      [],
    ],
    [
      'all day on a date of their own, in a clinic with a week',
      { week },
      { specialHours: { [monday]: [['00:00', '24:00']] } },
      monday,
      ['00:00–00:00'],
    ],
  ])('%s', (_, clinic, own, date, expected) => {
    expect(shown(ranges(clinic, own, dayOf(date)))).toEqual(expected);
  });

  test('something else that a clinic kept under specialHours is no hours', () => {
    expect(clinicHoursOf({ specialHours: 'by arrangement' })).toEqual({
      zone: 'Europe/Lisbon',
      week: null,
      special: null,
    });
  });
});

/** Each has 00:00 to 04:00 open on the day of a change; UTC. */
const CHANGES: [string, string, string][] = [
  ['Europe/Lisbon', '2026-03-29', '2026-03-29T00:00Z–2026-03-29T03:00Z'],
  ['Europe/Lisbon', '2026-10-25', '2026-10-24T23:00Z–2026-10-25T04:00Z'],
  ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00Z–2026-03-29T04:00Z'],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00Z–2026-10-25T05:00Z'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30Z–2026-10-03T17:00Z'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00Z–2026-04-04T17:30Z'],
];
const NIGHT: SpecialHours[string] = [['00:00', '04:00']];

describe.each(CHANGES)('when the clocks change in %s on %s', (zone, date, expected) => {
  const utc = (at: Date) => at.toISOString().replace(':00.000Z', 'Z');
  const open = (clinic: Partial<ClinicHours>, own: Partial<OwnHours> = {}) =>
    ranges({ zone, ...clinic }, own, dayOf(date, zone)).map(
      ({ from, until }) => `${utc(from)}–${utc(until)}`,
    );
  const sunday: WorkingHours = { sun: NIGHT };

  test.each<[string, Partial<ClinicHours>, Partial<OwnHours>]>([
    ['the clinic’s special date', { special: { [date]: NIGHT } }, {}],
    ['a professional’s special date', { week: {} }, { specialHours: { [date]: NIGHT } }],
    ['a professional’s week', {}, { workingHours: sunday }],
    ['both weeks', { week: sunday }, { workingHours: sunday }],
    [
      'a date of the clinic and a week',
      { special: { [date]: [['00:00', '24:00']] } },
      { workingHours: sunday },
    ],
  ])('%s holds as the clocks show it', (_, clinic, own) => {
    expect(open(clinic, own)).toEqual([expected]);
  });
});

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
/** Sorted and without overlap. */
const openings = fc
  .uniqueArray(fc.integer({ min: 0, max: 288 }), { maxLength: 6 })
  .map((all) => all.toSorted((a, b) => a - b).map((fives) => clock(fives * 5)))
  .map((times) =>
    Array.from({ length: Math.floor(times.length / 2) }, (_, at): [string, string] => [
      times[2 * at] ?? '',
      times[2 * at + 1] ?? '',
    ]),
  );
const week = fc.dictionary(fc.constantFrom(...WEEKDAYS), openings, { maxKeys: 7 });
/** Some days around the change to summer time. */
const FIRST = Date.parse('2026-03-27T00:00:00Z');
const date = fc.integer({ min: 0, max: 5 }).map((days) => isoDate(FIRST + days * DAY_MS));
const special = fc.dictionary(date, openings, { maxKeys: 4 });

function isoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The rule said once more, of one instant. */
function isOpen(at: Date, clinic: ClinicHours, own: OwnHours): boolean {
  const local = DateTime.fromJSDate(at, { zone: clinic.zone });
  const day = local.toFormat('yyyy-MM-dd');
  const weekday = WEEKDAYS[local.weekday - 1] ?? 'mon';
  const shows = local.toFormat('HH:mm');
  const within = (all: readonly (readonly [string, string])[]) =>
    all.some(([opens, closes]) => opens <= shows && shows < closes);
  const ofTheirs = own.specialHours?.[day];
  if (ofTheirs) return within(ofTheirs);
  const ofClinic = clinic.special?.[day] ?? (clinic.week ? (clinic.week[weekday] ?? []) : null);
  const isClinicOpen = ofClinic === null || within(ofClinic);
  return isClinicOpen && (own.workingHours === null || within(own.workingHours[weekday] ?? []));
}

test('whatever the hours, every minute is open or not as they say', () => {
  const clinics = fc.record({
    zone: fc.constantFrom('Europe/Lisbon', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Chatham'),
    week: fc.option(week),
    special: fc.option(special),
  });
  const people = fc.record({ workingHours: fc.option(week), specialHours: fc.option(special) });
  const minutes = fc.array(fc.integer({ min: 0, max: 5 * 24 * 60 }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(clinics, people, minutes, (clinic, own, instants) => {
      const within = { from: new Date(FIRST), until: new Date(FIRST + 5 * DAY_MS) };
      const open = [...openRangesWithin(clinic, within)(own)];
      expect(open.every(({ from, until }) => from < until)).toBe(true);
      expect(open).toEqual(open.toSorted((a, b) => a.from.getTime() - b.from.getTime()));
      for (const at of instants.map((minute) => new Date(FIRST + minute * MINUTE_MS))) {
        if (isJustAfterTheGap(at, clinic.zone)) continue;
        const found = open.some(({ from, until }) => from <= at && at < until);
        expect([at, found]).toEqual([at, isOpen(at, clinic, own)]);
      }
    }),
  );
});

/** Where hours that the clocks skip have gone: the tables above say of them. */
function isJustAfterTheGap(at: Date, zone: string): boolean {
  const offset = (ms: number) => DateTime.fromMillis(ms, { zone }).offset;
  return offset(at.getTime()) !== offset(at.getTime() - 60 * MINUTE_MS);
}
