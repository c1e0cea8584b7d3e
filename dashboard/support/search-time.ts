import { DateTime } from 'luxon';

/** A local time as people write it, “10:30 yesterday”, which is a different instant in each zone. */
export interface SearchTime {
  /** The rest of the text, such as a clinic's name. */
  rest: string;
  instantIn(zone: string, now: Date): Date;
}

/** It has every date. */
const LEAP_YEAR = 2024;

type DayOf = (today: DateTime) => DateTime;

const CLOCK = /(?<![\p{L}\d:])([01]?\d|2[0-3])[:h]([0-5]\d)(?![\p{L}\d:])/iu;
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

/** Null without a time of day. Without a day it is today; a weekday is the last one. */
export function readSearchTime(text: string): SearchTime | null {
  const clock = CLOCK.exec(text);
  if (!clock) return null;
  const [said, hour, minute] = clock;
  const { day, rest } = readDay(text.replace(said, ' '));
  return {
    rest: rest.replaceAll(FILLERS, ' ').replaceAll(/\s+/g, ' ').trim(),
    instantIn: (zone, now) =>
      day(DateTime.fromJSDate(now, { zone }).startOf('day'))
        .set({ hour: Number(hour), minute: Number(minute) })
        .toJSDate(),
  };
}

function readDay(text: string): { day: DayOf; rest: string } {
  const found = readDate(text) ?? readNamedDay(text);
  return found ?? { day: (today) => today, rest: text };
}

function readDate(text: string): { day: DayOf; rest: string } | null {
  const iso = DATE.exec(text);
  const dayFirst = iso ? null : DAY_FIRST.exec(text);
  const found = iso ?? dayFirst;
  if (!found) return null;
  const [year, month, day] = iso ? found.slice(1) : found.slice(1).reverse();
  const date = { month: Number(month), day: Number(day) };
  if (!DateTime.fromObject({ year: Number(year ?? LEAP_YEAR), ...date }).isValid) return null;
  return {
    rest: text.replace(found[0], ' '),
    day: (today) => (year === undefined ? nearest(today, date) : today.set({ ...date, year: Number(year) })),
  };
}

/** In January, 28/12 means the past one. */
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
