import { DateTime } from 'luxon';
import type { TimeRange } from '../../appointments/slot.ts';
import { WEEKDAYS } from './business-hours.schema.ts';

/** Local times, `HH:MM`; `24:00` is midnight at the end. */
export type Opening = readonly [opens: string, closes: string];

/** A local date that converts its times to instants, also when the clocks change. */
export interface OpeningDay {
  /** 2026-03-05 */
  date: string;
  weekday: (typeof WEEKDAYS)[number];
  /** Earliest first; without openings that the clock change removes. */
  toRanges: (openings: readonly Opening[]) => TimeRange[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The local dates that touch `[from, until)`. */
export function openingDays(range: TimeRange, zone: string): OpeningDay[] {
  const days: OpeningDay[] = [];
  const last = DateTime.fromJSDate(range.until, { zone });
  let midnight = midnightOf(DateTime.fromJSDate(range.from, { zone }));
  while (midnight.local < last) {
    const next = midnightOf(midnight.local.plus({ days: 1 }));
    days.push(openingDay(midnight, next));
    midnight = next;
  }
  return days;
}

/** The instants of a local time: two when daylight saving ends. A skipped time becomes the instant after the gap. */
interface Occurrences {
  first: Date;
  last: Date;
}

interface Midnight extends Occurrences {
  local: DateTime;
}

function openingDay(start: Midnight, next: Midnight): OpeningDay {
  const at = clockOf(start, next);
  // If a time occurs twice, an opening begins at the first and ends at the last occurrence.
  const toRange = ([opens, closes]: Opening) => ({ from: at(opens).first, until: at(closes).last });
  return {
    date: start.local.toFormat('yyyy-MM-dd'),
    weekday: WEEKDAYS[start.local.weekday - 1] ?? 'mon',
    toRanges: (openings) =>
      openings
        .map(toRange)
        .filter(({ from, until }) => from < until)
        .sort((a, b) => a.from.getTime() - b.from.getTime()),
  };
}

function clockOf(start: Midnight, next: Midnight): (time: string) => Occurrences {
  const startMs = start.first.getTime();
  const hasNoChange = start.first === start.last && next.first.getTime() - startMs === DAY_MS;
  return (time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    if (hour === 24) return next;
    if (!hasNoChange) return occurrences(start.local.set({ hour, minute }));
    const at = new Date(startMs + (hour * 60 + minute) * MINUTE_MS);
    return { first: at, last: at };
  };
}

function midnightOf(day: DateTime): Midnight {
  const local = day.startOf('day');
  return { local, ...occurrences(local) };
}

/** The first and last occurrence of a local time; equal if there is only one. */
function occurrences(local: DateTime): Occurrences {
  const [one, other = one] = local.getPossibleOffsets().map((possible) => possible.toJSDate());
  if (!one || !other) throw new Error('a local time could not be converted to an instant');
  return one < other ? { first: one, last: other } : { first: other, last: one };
}
