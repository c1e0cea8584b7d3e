import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  dueReminder,
  dueStarts,
  remindersAllowedFrom,
  type Remindable,
} from '../../../domain/appointments/reminder.ts';

const HOUR_MS = 3_600_000;
const at = (text: string) => new Date(text);
const appointment = (changes: Partial<Remindable> = {}): Remindable => ({
  status: 'confirmed',
  startsAt: at('2027-06-10T14:00Z'),
  createdAt: at('2027-05-01T10:00Z'),
  patientName: 'Ana Martins',
  remindedHoursBefore: null,
  ...changes,
});
const due = (changes: Partial<Remindable>, now: string, hoursBefore = [48, 3], zone = 'UTC') =>
  dueReminder(appointment(changes), { hoursBefore, zone, now: at(now) });

test.each([
  ['before the first one is due', {}, '2027-06-08T13:59Z', null],
  ['as soon as it is due', {}, '2027-06-08T14:00Z', 48],
  ['that was sent', { remindedHoursBefore: 48 }, '2027-06-09T14:00Z', null],
  ['the next one', { remindedHoursBefore: 48 }, '2027-06-10T11:00Z', 3],
  ['only the nearest of two', {}, '2027-06-10T11:00Z', 3],
  ['one further away after a nearer one', { remindedHoursBefore: 3 }, '2027-06-10T12:00Z', null],
  ['one that was due before the booking', { createdAt: at('2027-06-08T14:00Z') }, '2027-06-09T14:00Z', null],
  ['one due after the booking', { createdAt: at('2027-06-08T14:00Z') }, '2027-06-10T11:00Z', 3],
  ['one that begins now', {}, '2027-06-10T14:00Z', null],
  ['a cancelled one', { status: 'cancelled' }, '2027-06-09T14:00Z', null],
  ['a moved one', { status: 'rescheduled' }, '2027-06-09T14:00Z', null],
  ['a patient who was erased', { patientName: null }, '2027-06-09T14:00Z', null],
] satisfies [string, Partial<Remindable>, string, number | null][])('%s', (_, changes, now, sent) => {
  expect(due(changes, now)).toBe(sent);
});

test('one that is due at night waits for 09:00, and is dropped when the appointment has begun by then', () => {
  const early = { startsAt: at('2027-06-10T10:00Z') };
  expect(due(early, '2027-06-10T08:59:59Z')).toBeNull();
  expect(due(early, '2027-06-10T09:00Z')).toBe(3);
  expect(due({ startsAt: at('2027-06-10T09:00Z') }, '2027-06-10T09:00Z')).toBeNull();
  const late = { startsAt: at('2027-06-12T20:00Z') };
  expect(due(late, '2027-06-10T20:00Z')).toBeNull();
  expect(due(late, '2027-06-11T09:00Z')).toBe(48);
});

test('without hours, none is sent', () => {
  expect(due({}, '2027-06-09T14:00Z', [])).toBeNull();
});

const ZONES = ['Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
const instants = fc.date({ min: at('2026-01-01T00:00Z'), max: at('2028-12-31T00:00Z'), noInvalidDate: true });
const localHour = (zone: string, moment: Date) =>
  Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(moment),
  );

test('reminders are allowed from 09:00 to 20:00 in any zone on any day, next within 14 hours', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), instants, (zone, now) => {
      const hour = localHour(zone, now);
      const from = remindersAllowedFrom(zone, now);
      if (hour >= 9 && hour < 20) expect(from).toEqual(now);
      else expect([localHour(zone, from), from.getTime() % 60_000]).toEqual([9, 0]);
      expect(from.getTime() - now.getTime()).toBeLessThanOrEqual(14 * HOUR_MS);
    }),
  );
});

const hoursBefore = fc.array(fc.integer({ min: 1, max: 336 }), { maxLength: 3 });

test('a reminder is due only within its range, whatever the settings', () => {
  fc.assert(
    fc.property(hoursBefore, instants, fc.integer({ min: -5, max: 340 * 60 }), (hours, now, minutes) => {
      const startsAt = new Date(now.getTime() + minutes * 60_000);
      const sent = dueReminder(appointment({ startsAt, createdAt: new Date(0) }), {
        hoursBefore: hours,
        zone: 'UTC',
        now,
      });
      const inRange = dueStarts(hours, new Date(0), now).filter(
        ({ after, until }) => startsAt > after && startsAt <= until,
      );
      const isNight = remindersAllowedFrom('UTC', now) > now;
      const expected = isNight ? [] : inRange.map((range) => range.hoursBefore);
      expect(sent === null ? [] : [sent]).toEqual(expected);
    }),
  );
});

test('an appointment gets each reminder at most once, from far to near, while settings change', () => {
  const steps = fc.array(fc.tuple(hoursBefore, fc.integer({ min: 1, max: 48 * 60 })), { maxLength: 30 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), instants, steps, (zone, startsAt, plan) => {
      let now = new Date(startsAt.getTime() - 340 * HOUR_MS);
      let remindedHoursBefore: number | null = null;
      const sent: number[] = [];
      for (const [hours, minutes] of plan) {
        now = new Date(now.getTime() + minutes * 60_000);
        const remindable = appointment({ startsAt, createdAt: new Date(0), remindedHoursBefore });
        const hour = dueReminder(remindable, { hoursBefore: hours, zone, now });
        if (hour === null) continue;
        expect(hours).toContain(hour);
        expect(now < startsAt).toBe(true);
        sent.push(hour);
        remindedHoursBefore = hour;
      }
      expect(sent).toEqual([...new Set(sent)].toSorted((one, other) => other - one));
    }),
  );
});
