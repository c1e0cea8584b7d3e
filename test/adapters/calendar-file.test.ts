import { expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import { calendarFile, type CalendarEntry } from '../../adapters/calendar/calendar-file.ts';

const HALF_HOUR_MS = 1_800_000;

function fileOf(zone: string, startsAt: Date, changes: Partial<CalendarEntry> = {}) {
  const text = calendarFile({
    uid: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
    sequence: 3,
    changedAt: new Date('2027-01-05T12:00:00.123Z'),
    isCancelled: false,
    startsAt,
    endsAt: new Date(startsAt.getTime() + HALF_HOUR_MS),
    zone,
    summary: 'Check-up; with X-ray, Clínica "da Luz"',
    location: 'Rua da Luz 12, Lisboa',
    description: 'Dr. Rui\nSala 2',
    url: 'https://dashboard.example/book/a/token',
    ...changes,
  });
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const event = calendar.getFirstSubcomponent('vevent');
  if (!event) throw new Error('there is no event');
  return { calendar, event, text };
}

test('a parser of calendars reads what was written', () => {
  const { calendar, event } = fileOf('Europe/Lisbon', new Date('2027-03-05T10:30:00Z'));
  const read = (name: string) => String(event.getFirstPropertyValue(name));
  expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH');
  expect(read('uid')).toBe('0195571c-5a60-7a3e-9f00-2f5d1c9b7a20');
  expect(read('sequence')).toBe('3');
  expect(read('status')).toBe('CONFIRMED');
  expect(read('dtstamp')).toBe('2027-01-05T12:00:00Z');
  expect(read('dtstart')).toBe('2027-03-05T10:30:00');
  expect(read('summary')).toBe('Check-up; with X-ray, Clínica "da Luz"');
  expect(read('description')).toBe('Dr. Rui\nSala 2');
});

test('a cancelled entry says so', () => {
  const { event } = fileOf('Europe/Lisbon', new Date('2027-03-05T10:30:00Z'), { isCancelled: true });
  expect(event.getFirstPropertyValue('status')).toBe('CANCELLED');
});

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'Europe/Kyiv', 'US/Eastern', 'Etc/GMT+3', 'Etc/UTC'];
const TIMES = [
  '2027-01-15T12:00:00Z',
  '2027-03-28T00:30:00Z',
  '2027-07-15T12:00:00Z',
  '2027-10-31T03:00:00Z',
];

test('in every zone times carry its name and rules, and a calendar finds the same instants', () => {
  for (const zone of ZONES.filter((each) => each !== 'UTC'))
    for (const time of TIMES) {
      const { calendar, event } = fileOf(zone, new Date(time));
      const rules = calendar.getFirstSubcomponent('vtimezone')?.getFirstPropertyValue('tzid');
      const named = event.getFirstProperty('dtstart')?.getFirstParameter('tzid');
      const { startDate, endDate } = new ICAL.Event(event);
      const [startsAt, endsAt] = [startDate.toJSDate(), endDate.toJSDate()];
      expect({ zone, time, rules, named, startsAt, endsAt }).toEqual({
        zone,
        time,
        rules: zone,
        named: zone,
        startsAt: new Date(time),
        endsAt: new Date(Date.parse(time) + HALF_HOUR_MS),
      });
    }
});
