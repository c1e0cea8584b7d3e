import { DateTime } from 'luxon';

/** A local time as people write it, “10:30 yesterday”, which is a different instant in each zone. */
export interface SearchTime {
  /** The rest of the text, such as a clinic's name. */
  rest: string;
  instantIn(zone: string, now: Date): Date;
}

/** A year that has every date. */
const LEAP_YEAR = 2024;

type DayOf = (today: DateTime) => DateTime;

/** Also as the desk writes it: with seconds, a half of the day, and a zone, which is the clinic's. */
const CLOCK =
  /(?<![\p{L}\d:])([01]?\d|2[0-3])[:h]([0-5]\d)(?::[0-5]\d)?(?:\s?([ap])\.?m\.?)?(?:\s(?:GMT|UTC|WES?T|CES?T|EES?T|BST|[ECMP][SD]T)(?:[+−-]\d{1,2}(?::?\d\d)?)?)?(?![\p{L}\d:])/iu;
/** `2026-03-05`, and day first: `5/3`, `05.03.2026`. */
const DATE = /(?<![\d.])(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/u;
const DAY_FIRST = /(?<![\d.])(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}))?(?![\d.])/u;

const DAYS: readonly [words: string, days: number][] = [
  ['the day before yesterday|day before yesterday|anteontem', -2],
  ['yesterday|ontem', -1],
  ['today|hoje', 0],
  ['tomorrow|amanhã|amanha', 1],
];
/** Starting with Monday. */
const WEEKDAYS = ['monday|segunda', 'tuesday|terça|terca', 'wednesday|quarta', 'thursday|quinta'].concat([
  'friday|sexta',
  'saturday|sábado|sabado',
  'sunday|domingo',
]);
const FILLERS = /(?<!\p{L})(at|on|the|às|as|em|no|na|feira)(?!\p{L})|[,;]/giu;

/**
 * Finds a time in the search text; null when it has no time of day. Without a day it is today; a weekday means the last
 * one.
 */
export function readSearchTime(text: string): SearchTime | null {
  const clock = CLOCK.exec(text);
  if (!clock) return null;
  const [said, hour, minute, half] = clock;
  const { day, rest } = readDay(text.replace(said, ' '));
  return {
    rest: rest.replaceAll(FILLERS, ' ').replaceAll(/\s+/g, ' ').trim(),
    instantIn: (zone, now) =>
      day(DateTime.fromJSDate(now, { zone }).startOf('day'))
        .set({ hour: hourOf(Number(hour), half), minute: Number(minute) })
        .toJSDate(),
  };
}

/** @param half of the day; undefined in a day of 24 hours */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined || hour > 12) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function readDay(text: string): { day: DayOf; rest: string } {
  const found = readDate(text) ?? readNamedMonth(text) ?? readNamedDay(text);
  return found ?? { day: (today) => today, rest: text };
}

function readDate(text: string): { day: DayOf; rest: string } | null {
  const iso = DATE.exec(text);
  const dayFirst = iso ? null : DAY_FIRST.exec(text);
  const found = iso ?? dayFirst;
  if (!found) return null;
  const [year, month, day] = iso ? found.slice(1) : found.slice(1).reverse();
  return dayIn({ said: found[0], text, date: { month: Number(month), day: Number(day) }, year });
}

/** By the beginnings of their names, in both languages. */
const MONTHS = ['jan', 'feb|fev', 'mar', 'apr|abr', 'may|mai', 'jun', 'jul', 'aug|ago', 'sep|set'].concat([
  'oct|out',
  'nov',
  'dec|dez',
]);
const MONTH = `(${MONTHS.join('|')})\\p{L}*\\.?`;
/** “5 Mar 2026”, “5 de março”; “Mar 5, 2026”. */
const DAY_OF_MONTH = new RegExp(`(?<!\\d)(\\d{1,2}) (?:de )?${MONTH}(?:,? (?:de )?(\\d{4}))?(?!\\d)`, 'iu');
const MONTH_DAY = new RegExp(`(?<!\\p{L})${MONTH} (\\d{1,2})(?:,? (\\d{4}))?(?!\\d)`, 'iu');

function readNamedMonth(text: string): { day: DayOf; rest: string } | null {
  const dayFirst = DAY_OF_MONTH.exec(text);
  const found = dayFirst ?? MONTH_DAY.exec(text);
  if (!found) return null;
  const [said, one = '', other = '', year] = found;
  const [name, day] = dayFirst ? [other, one] : [one, other];
  const month = MONTHS.findIndex((names) => names.split('|').includes(name.toLowerCase())) + 1;
  return dayIn({ said, text, date: { month, day: Number(day) }, year });
}

interface SaidDate {
  said: string;
  text: string;
  date: { month: number; day: number };
  year: string | undefined;
}

/** Null for a date that does not exist. */
function dayIn({ said, text, date, year }: SaidDate): { day: DayOf; rest: string } | null {
  if (!DateTime.fromObject({ year: Number(year ?? LEAP_YEAR), ...date }).isValid) return null;
  return {
    rest: text.replace(said, ' '),
    day: (today) => (year === undefined ? nearest(today, date) : today.set({ ...date, year: Number(year) })),
  };
}

/** The date nearest to today: in January, 28/12 means last December. */
function nearest(today: DateTime, date: { month: number; day: number }): DateTime {
  const thisYear = today.set(date);
  return thisYear.diff(today, 'months').months > 6 ? thisYear.minus({ years: 1 }) : thisYear;
}

function readNamedDay(text: string): { day: DayOf; rest: string } | null {
  for (const [words, days] of DAYS) {
    const said = named(words).exec(text);
    if (said) return { rest: text.replace(said[0], ' '), day: (today) => today.plus({ days }) };
  }
  for (const [index, words] of WEEKDAYS.entries()) {
    const said = named(words).exec(text);
    const sinceThen = (today: DateTime) => (today.weekday - (index + 1) + 7) % 7;
    if (said)
      return { rest: text.replace(said[0], ' '), day: (today) => today.minus({ days: sinceThen(today) }) };
  }
  return null;
}

function named(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
}
