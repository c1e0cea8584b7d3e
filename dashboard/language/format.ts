import { DateTime } from 'luxon';
import { dateLocale, LOCALES, type Language, type Words } from './language.ts';

/** Formats dates and times for the clinic's country and zone, and numbers for the language. */
export interface Format {
  zone: string;
  /** Western European Time */
  zoneName: string;
  /** 5 Mar 2026, 10:30; Mar 5, 2026, 10:30 AM in the United States */
  dateTime(at: Date): string;
  /** Thursday 5 March 2026 */
  day(at: Date): string;
  /** The day as a heading: Quinta-feira, 5 de março de 2026 */
  dayTitle(at: Date): string;
  /** Thu 5 */
  weekday(at: Date): string;
  /** Thu; Quinta */
  weekdayName(at: Date): string;
  /** 5 */
  dayOfMonth(at: Date): string;
  /** 5 Mar */
  shortDay(at: Date): string;
  /** 10:30 */
  time(at: Date): string;
  /** 10:30:05 */
  timeWithSeconds(at: Date): string;
  /** Thursday 10:30; from a week on Thursday 5 March 10:30 */
  dayAndTime(at: Date, now: Date): string;
  /** Thu 5 10:30 */
  weekdayAndTime(at: Date): string;
  /** today at 10:30, tomorrow at 10:30, 5 Mar 2026, 10:30 */
  moment(at: Date, now: Date): string;
  /** in 4 minutes, 2 hours ago */
  relative(at: Date, now: Date): string;
  /** 1,204 */
  number(value: number): string;
  /** 99.5 %, of a share from 0 to 1 */
  percent(share: number): string;
  /** Replaces `{phone}` by an example of a foreign phone number. */
  withPhone(text: string): string;
  /** €50.00: prices are in euro everywhere */
  euros(amount: number): string;
  /** 120 ms, 2.5 s */
  duration(ms: number): string;
}

const MINUTE_MS = 60_000;

/** The word before a time of day. */
const AT: Words<string> = { en: 'at', pt: 'às' };

/** The limit of each unit, above which the next one is used. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number, number][] = [
  ['second', 1000, MINUTE_MS],
  ['minute', MINUTE_MS, 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS, 48 * 60 * MINUTE_MS],
  ['day', 1440 * MINUTE_MS, Infinity],
];

const made = new Map<string, Format>();

/**
 * The format for a language and place; cached, because formats are slow to create. @param place the country and zone of
 * the clinic
 */
export function formatFor(language: Language, place: { zone: string; country: string }): Format {
  const key = `${language} ${place.country} ${place.zone}`;
  const known = made.get(key) ?? createFormat(language, place);
  made.set(key, known);
  return known;
}

function createFormat(language: Language, { zone, country }: { zone: string; country: string }): Format {
  const dates = dateLocale(language, country);
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(dates, { timeZone: zone, ...options });
    return (at: Date) => format.format(at);
  };
  const { hour12 } = new Intl.DateTimeFormat(dates, { hour: 'numeric' }).resolvedOptions();
  const clock = { hour: hour12 === true ? 'numeric' : '2-digit', minute: '2-digit' } as const;
  const day = date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const time = date(clock);
  const weekday = date({ weekday: 'long' });
  const shortWeekday = date({ weekday: 'short', day: 'numeric' });
  const longDay = date({ weekday: 'long', day: 'numeric', month: 'long' });
  const dateTime = date({ day: 'numeric', month: 'short', year: 'numeric', ...clock });
  const relative = new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto' });
  return {
    zone,
    zoneName: zoneName(LOCALES[language], zone),
    dateTime,
    day,
    dayTitle: (at) => capitalized(day(at)),
    weekday: (at) => capitalized(shortWeekday(at)),
    ...shortDaysIn(date),
    time,
    timeWithSeconds: date({ ...clock, second: '2-digit' }),
    dayAndTime: (at, now) => {
      const days = daysBetween(now, at, zone);
      return `${(days >= 0 && days < 7 ? weekday : longDay)(at)} ${time(at)}`;
    },
    weekdayAndTime: (at) => `${shortWeekday(at)} ${time(at)}`,
    moment: (at, now) => {
      const days = daysBetween(now, at, zone);
      if (Math.abs(days) > 1) return dateTime(at);
      return `${relative.format(days, 'day')} ${AT[language]} ${time(at)}`;
    },
    relative: (at, now) => relativeTime(relative, at.getTime() - now.getTime()),
    ...numbersIn(LOCALES[language]),
    withPhone: (text) => text.replace('{phone}', country === 'PT' ? '+44 20 7946 0958' : '+351 912 345 678'),
  };
}

function shortDaysIn(
  date: (options: Intl.DateTimeFormatOptions) => (at: Date) => string,
): Pick<Format, 'weekdayName' | 'dayOfMonth' | 'shortDay'> {
  const weekdayName = date({ weekday: 'short' });
  return {
    weekdayName: (at) => capitalized(weekdayName(at)),
    dayOfMonth: date({ day: 'numeric' }),
    shortDay: date({ day: 'numeric', month: 'short' }),
  };
}

/** The name of the zone, which is the same in summer and winter. */
function zoneName(locale: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

function numbersIn(locale: string): Pick<Format, 'number' | 'percent' | 'euros' | 'duration'> {
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const euros = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' });
  return {
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    euros: (amount) => euros.format(amount),
    duration: (ms) => durationOf(locale, ms),
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The number of midnights between two times in the zone. */
function daysBetween(now: Date, at: Date, zone: string): number {
  const [from, to] = [now, at].map((instant) => DateTime.fromJSDate(instant, { zone }).startOf('day'));
  return from && to ? to.diff(from, 'days').days : 0;
}

function relativeTime(format: Intl.RelativeTimeFormat, ms: number): string {
  const [unit, size] = UNITS.find(([, , below]) => Math.abs(ms) < below) ?? ['day', 1440 * MINUTE_MS];
  return format.format(Math.trunc(ms / size), unit);
}

function durationOf(locale: string, ms: number): string {
  const [value, unit] = ms < 1000 ? [ms, 'millisecond'] : [ms / 1000, 'second'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
