import { freeSlots, type Calendar, type FreeSlot, type TakenMs } from './availability.ts';
import { freeRanges } from './free-ranges.ts';
import type { TimeRange } from './slot.ts';

const MINUTE_MS = 60_000;
/** Offered times are multiples of five minutes, because staff would not give an appointment at 15:52. */
const STEP_MS = 5 * MINUTE_MS;
/** Shorter gaps are not worth offering. */
const MIN_MS = 10 * MINUTE_MS;
/** Nor is a gap in which less than this part of the service fits. */
const LEAST_PART = 0.5;

/** A time that staff may give to a patient, and what is unusual about it. */
export interface DeskTime extends Pick<FreeSlot, 'professionalId' | 'startsAt' | 'endsAt'> {
  /** Whether the time is shorter than the service, because of the next appointment. */
  isShort: boolean;
  /** Whether the time is outside the hours of clinic or professional, or blocked. */
  isOutside: boolean;
}

/** The calendar of a day with all opening and busy times. */
export type DayCalendar = Calendar & { open: readonly TimeRange[] };

/**
 * Free times by start: the grid's slots, and the start of every gap between appointments, even if only half of the
 * service fits.
 */
export function deskTimes(calendars: readonly DayCalendar[], range: TimeRange, now: Date): DeskTime[] {
  const usual = [...freeSlots(calendars, range, now)].map(asUsual);
  const known = new Set(usual.map(keyOf));
  const between = calendars.flatMap((calendar) => startsOfGaps(calendar, range, now));
  return [...usual, ...between.filter((time) => !known.has(keyOf(time)))].sort(
    (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
  );
}

function asUsual({ professionalId, startsAt, endsAt }: FreeSlot): DeskTime {
  return { professionalId, startsAt, endsAt, isShort: false, isOutside: false };
}

const keyOf = ({ professionalId, startsAt }: DeskTime) => `${startsAt.getTime()} ${professionalId}`;

function startsOfGaps({ professionalId, service, open, busy }: DayCalendar, range: TimeRange, now: Date) {
  return freeRanges(open, busy).flatMap(({ from, until }) => {
    const startMs = Math.ceil(Math.max(from.getTime(), now.getTime() + 1) / STEP_MS) * STEP_MS;
    const startsAt = new Date(startMs);
    if (startsAt < range.from || startsAt >= range.until) return [];
    const room = roomAt(startsAt, service, busy);
    const endMs = Math.min(room?.endsAt.getTime() ?? 0, until.getTime());
    const leastMs = Math.max(MIN_MS, service.durationMinutes * MINUTE_MS * LEAST_PART);
    if (!room || endMs - startMs < leastMs) return [];
    const isShort = room.isShort || endMs < room.endsAt.getTime();
    return [{ professionalId, startsAt, endsAt: new Date(endMs), isShort, isOutside: false }];
  });
}

/**
 * Until when an appointment at that time can last, with the service's buffer after it; at most the service's length.
 * Null if less than ten minutes are left, unless the service itself is shorter. @param busy earliest first
 */
export function roomAt(
  startsAt: Date,
  { durationMinutes, bufferMinutes }: Calendar['service'],
  busy: readonly TakenMs[],
): Pick<DeskTime, 'endsAt' | 'isShort'> | null {
  const startMs = startsAt.getTime();
  const wholeMs = startMs + Math.round(durationMinutes * MINUTE_MS);
  const next = busy.find(([, untilMs]) => untilMs > startMs);
  const latestMs = next ? next[0] - bufferMinutes * MINUTE_MS : Infinity;
  const endMs = Math.min(wholeMs, latestMs);
  if (endMs - startMs < Math.min(MIN_MS, wholeMs - startMs)) return null;
  return { endsAt: new Date(endMs), isShort: endMs < wholeMs };
}
