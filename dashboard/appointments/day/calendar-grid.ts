import { DateTime } from 'luxon';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import type { LocalDay } from '../../../domain/clinic/hours/local-day.ts';

/** One row is five minutes. */
export const ROWS_AN_HOUR = 12;
export const HOURS_OF_DAY = 24;
const HOUR_MS = 3_600_000;
const ROW_MS = HOUR_MS / ROWS_AN_HOUR;

/** The default hours for a professional without closing times, extended where needed. */
const USUAL_HOURS = { first: 8, last: 20 };
const MAX_DAY_MS = 16 * HOUR_MS;

/** The hours of the day that the calendar shows. */
export interface Hours {
  first: number;
  count: number;
}

/** A position: the first row and the number of rows. */
export interface Rows {
  at: number;
  span: number;
}

/** Full hours around all openings and bookings of these days. */
export function hoursShown(
  days: readonly { open: readonly TimeRange[]; visits: readonly TimeRange[]; day: LocalDay }[],
  zone: string,
): Hours {
  const ends = days.flatMap(({ open, visits, day }) =>
    [...open.filter(isShort), ...visits].map((range) => clockOf(range, day, zone)),
  );
  const first = Math.min(...ends.map(({ from }) => from), ...(ends.length === 0 ? [USUAL_HOURS.first] : []));
  const last = Math.max(...ends.map(({ until }) => until), ...(ends.length === 0 ? [USUAL_HOURS.last] : []));
  const isAlwaysOpen = days.some(({ open }) => !open.every(isShort));
  const from = isAlwaysOpen ? Math.min(first, USUAL_HOURS.first) : first;
  return { first: from, count: (isAlwaysOpen ? Math.max(last, USUAL_HOURS.last) : last) - from };
}

const isShort = ({ from, until }: TimeRange) => until.getTime() - from.getTime() < MAX_DAY_MS;

function clockOf({ from, until }: TimeRange, day: LocalDay, zone: string) {
  const hourOf = (at: Date) => {
    const { hour, minute } = DateTime.fromJSDate(at, { zone });
    return hour + minute / 60;
  };
  return {
    from: from <= day.from ? 0 : Math.floor(hourOf(from)),
    until: until >= day.until ? HOURS_OF_DAY : Math.ceil(hourOf(until)),
  };
}

/** The rows of one day. */
export interface Grid {
  hours: Hours;
  /** The time from the start of the first row to the end of the last. */
  shown: TimeRange;
}

export function gridOf(day: LocalDay, hours: Hours, zone: string): Grid {
  const from = DateTime.fromJSDate(day.from, { zone }).set({ hour: hours.first }).toJSDate();
  return { hours, shown: { from, until: new Date(from.getTime() + hours.count * HOUR_MS) } };
}

/** The rows of a range; null when it is outside the hours. */
export function rowsOf({ from, until }: TimeRange, { hours, shown }: Grid): Rows | null {
  const rowAt = (at: Date) => Math.round((at.getTime() - shown.from.getTime()) / ROW_MS);
  const at = Math.max(0, rowAt(from));
  const end = Math.min(hours.count * ROWS_AN_HOUR, Math.max(rowAt(until), rowAt(from) + 1));
  return at < end ? { at, span: end - at } : null;
}

export function within({ from, until }: TimeRange, shown: TimeRange): TimeRange {
  return {
    from: from > shown.from ? from : shown.from,
    until: until < shown.until ? until : shown.until,
  };
}

/** Splits a range at full hours, except for pieces too small to click. */
export function hourByHour({ from, until }: TimeRange, { shown }: Grid): TimeRange[] {
  const pieces: TimeRange[] = [];
  let begin = from;
  while (begin < until) {
    const worthwhile = begin.getTime() + HOUR_MS / 4 - shown.from.getTime();
    const next = new Date(shown.from.getTime() + Math.ceil(worthwhile / HOUR_MS) * HOUR_MS);
    const end = next < until ? next : until;
    pieces.push({ from: begin, until: end });
    begin = end;
  }
  return pieces;
}

/** The most items next to each other; more would not be readable. */
const MAX_LANES = 3;

/** Places overlapping items next to each other. @param items earliest first */
export function inLanes<Each extends Rows>(
  items: readonly Each[],
): (Each & { lane: number; lanes: number })[] {
  return overlapping(items).flatMap((group) => {
    const ends: number[] = [];
    const placed = group.map((item) => {
      const free = ends.findIndex((end) => end <= item.at);
      const lane = free >= 0 ? free : ends.length;
      ends[lane] = item.at + item.span;
      return { ...item, lane: lane % MAX_LANES };
    });
    return placed.map((item) => ({ ...item, lanes: Math.min(ends.length, MAX_LANES) }));
  });
}

function overlapping<Each extends Rows>(items: readonly Each[]): Each[][] {
  const groups: Each[][] = [];
  let end = 0;
  for (const item of items) {
    if (item.at >= end) groups.push([]);
    groups.at(-1)?.push(item);
    end = Math.max(end, item.at + item.span);
  }
  return groups;
}
