import { DateTime } from 'luxon';
import { WEEKDAYS, type BusinessHours } from './business-hours.schema.ts';
import type { TimeRange } from '../appointments/slot.ts';

/** The zone of a clinic that has not set `config.timezone`. */
export const DEFAULT_TIMEZONE = 'Europe/Lisbon';

export function timezoneOf({ timezone }: Record<string, unknown>): string {
  return typeof timezone === 'string' ? timezone : DEFAULT_TIMEZONE;
}

const ALL_DAY: [string, string][] = [['00:00', '24:00']];

/**
 * When the clinic is open on each local date that touches `[from, until)`, as instants, earliest first. Without
 * business hours it is open all day. A local time that a change to summer time skips counts as the instant after the gap.
 */
export function openRanges(hours: BusinessHours | null, zone: string, range: TimeRange): TimeRange[] {
  const open: TimeRange[] = [];
  const last = DateTime.fromJSDate(range.until, { zone });
  let date = DateTime.fromJSDate(range.from, { zone }).startOf('day');
  for (; date < last; date = date.plus({ days: 1 }).startOf('day')) {
    const weekday = WEEKDAYS[date.weekday - 1] ?? 'mon';
    const openings = hours ? (hours[weekday] ?? []) : ALL_DAY;
    open.push(...openings.flatMap(([opens, closes]) => toRange(date, opens, closes)));
  }
  return open.sort((a, b) => a.from.getTime() - b.from.getTime());
}

function toRange(date: DateTime, opens: string, closes: string): TimeRange[] {
  const from = instants(date, opens).at(0);
  const until = instants(date, closes).at(-1);
  return from && until && from < until ? [{ from, until }] : [];
}

/** A local time that occurs twice, when summer time ends, opens with its first and closes with its last occurrence. */
function instants(date: DateTime, time: string): Date[] {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const local = hour === 24 ? date.plus({ days: 1 }).startOf('day') : date.set({ hour, minute });
  return local
    .getPossibleOffsets()
    .map((possible) => possible.toJSDate())
    .sort((a, b) => a.getTime() - b.getTime());
}
