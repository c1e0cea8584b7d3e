import { WEEKDAYS } from '../clinic/hours/business-hours.schema.ts';
import { openingDays } from '../clinic/hours/openings-as-instants.ts';
import type { FreeSlot } from './availability.ts';
import { overlapOf, type TimeRange } from './slot.ts';

const PARTS = {
  morning: ['00:00', '12:00'],
  afternoon: ['12:00', '18:00'],
  evening: ['18:00', '24:00'],
} as const;
export type PartOfDay = keyof typeof PARTS;
export const PARTS_OF_DAY = Object.keys(PARTS) as [PartOfDay, ...PartOfDay[]];

/** The times that a patient asks for, in the clinic's local time. Absent fields allow any time. */
export interface WantedTimes {
  weekdays?: readonly (typeof WEEKDAYS)[number][] | undefined;
  partOfDay?: PartOfDay | undefined;
  /** `HH:MM`, the earliest and the latest start, both inclusive. */
  notBefore?: string | undefined;
  notAfter?: string | undefined;
}

/** A local date, and the range for the start of a slot on it. */
export interface WantedDay extends TimeRange {
  date: string;
}

/**
 * The matching part of each local date within `range`, earliest first. If midnight occurs twice, it belongs to the
 * first date.
 */
export function wantedDays(wanted: WantedTimes, zone: string, range: TimeRange): WantedDay[] {
  const { weekdays = WEEKDAYS, partOfDay, notBefore = '00:00', notAfter = '23:59' } = wanted;
  const [begins, ends] = partOfDay ? PARTS[partOfDay] : (['00:00', '24:00'] as const);
  const earliest = notBefore > begins ? notBefore : begins;
  const past = minuteAfter(notAfter);
  const within: [string, string] = [earliest, past < ends ? past : ends];
  const parts = openingDays(range, zone)
    .filter(({ weekday }) => weekdays.includes(weekday))
    .flatMap((day) => day.toRanges([within]).map((part) => ({ date: day.date, ...part })));
  return parts
    .map((part, at) => ({
      ...part,
      ...overlapOf(part, { from: parts[at - 1]?.until ?? range.from, until: range.until }),
    }))
    .filter(({ from, until }) => from < until);
}

function minuteAfter(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const next = hour * 60 + minute + 1;
  return [Math.floor(next / 60), next % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The slots of each matching day, with its date; the earliest `most` per day. */
export function* onWantedDays<Slot extends FreeSlot>(
  slotsWithin: (part: TimeRange) => Iterable<Slot>,
  days: readonly WantedDay[],
  most: number,
) {
  for (const { date, ...part } of days) {
    for (const slot of Iterator.from(slotsWithin(part)).take(most)) yield { slot, date };
  }
}

/** The first slot of each day and, if there are too few days, further slots; ordered by start. */
export function spreadOverDays<Slot extends FreeSlot>(
  slots: Iterable<{ slot: Slot; date: string }>,
  limit: number,
): Slot[] {
  const days = new Map<string, Slot[]>();
  for (const { slot, date } of slots) {
    const ofDay = days.get(date) ?? [];
    days.set(date, ofDay);
    if (ofDay.length < limit) ofDay.push(slot);
    if (days.size === limit) break;
  }
  const rounds = Array.from({ length: limit }, (_, nr) =>
    [...days.values()].flatMap((ofDay) => ofDay[nr] ?? []),
  );
  const chosen = rounds.flat().slice(0, limit);
  return chosen.sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
}
