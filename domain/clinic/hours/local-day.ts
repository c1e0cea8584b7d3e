import { DateTime } from 'luxon';
import type { TimeRange } from '../../appointments/slot.ts';

/** A calendar day in the clinic's zone: from its first instant to the first of the next. */
export interface LocalDay extends TimeRange {
  /** 2026-03-05 */
  date: string;
  /** The dates before and after. */
  previous: string;
  next: string;
}

const FORM = /^(19|2\d)\d{2}-\d{2}-\d{2}$/;

/** Null for an impossible date, such as 30 February, or outside the years 1900 to 2999. */
export function localDay(date: string, zone: string): LocalDay | null {
  if (!FORM.test(date)) return null;
  const day = DateTime.fromISO(date, { zone });
  return day.isValid ? toLocalDay(day) : null;
}

/** The local day at that instant. */
export function localDayOf(at: Date, zone: string): LocalDay {
  return toLocalDay(DateTime.fromJSDate(at, { zone }));
}

function toLocalDay(day: DateTime): LocalDay {
  const from = day.startOf('day');
  const next = from.plus({ days: 1 }).startOf('day');
  return {
    from: from.toJSDate(),
    until: next.toJSDate(),
    date: dateOf(from),
    previous: dateOf(from.minus({ days: 1 })),
    next: dateOf(next),
  };
}

function dateOf(day: DateTime): string {
  return day.toFormat('yyyy-MM-dd');
}
