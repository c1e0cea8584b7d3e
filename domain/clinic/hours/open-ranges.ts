import { overlapOf, type TimeRange } from '../../appointments/slot.ts';
import { openingDays, type Opening, type OpeningDay } from './openings-as-instants.ts';
import type { ClinicHours } from './business-hours.ts';
import type { SpecialHours, WorkingHours } from './working-hours.schema.ts';

/** A professional's own hours: docs/clinic-settings.md#working-hours */
export interface OwnHours {
  /** The professional's own hours; null for the clinic's hours. */
  workingHours: WorkingHours | null;
  specialHours: SpecialHours | null;
}

const ALL_DAY: readonly Opening[] = [['00:00', '24:00']];

/**
 * When professionals can be booked on each local date in `range`, as instants, earliest first, computed lazily. The
 * result is the intersection of the clinic's and the professional's weekly hours. A special date of the clinic replaces
 * its weekly hours; a special date of the professional replaces both.
 */
export function openRangesWithin(
  clinic: ClinicHours,
  range: TimeRange,
): (own: OwnHours) => Generator<TimeRange> {
  const days = openingDays(range, clinic.zone);
  return function* openRanges(own) {
    for (const day of days) yield* rangesOf(day, clinic, own);
  };
}

/**
 * Whether the professional is available from `from` until `until` without a gap; openings that meet at midnight count
 * as one.
 */
export function isOpenThroughout(clinic: ClinicHours, own: OwnHours, { from, until }: TimeRange): boolean {
  let reached = from;
  for (const opening of openRangesWithin(clinic, { from, until })(own)) {
    if (opening.from > reached) return false;
    if (opening.until > reached) reached = opening.until;
    if (reached >= until) return true;
  }
  return false;
}

function rangesOf(day: OpeningDay, clinic: ClinicHours, own: OwnHours): TimeRange[] {
  const special = own.specialHours?.[day.date];
  if (special) return day.toRanges(special);
  const opening = day.toRanges(clinicOpenings(day, clinic));
  return own.workingHours ? common(opening, day.toRanges(own.workingHours[day.weekday] ?? [])) : opening;
}

function clinicOpenings({ date, weekday }: OpeningDay, { week, special }: ClinicHours): readonly Opening[] {
  return special?.[date] ?? (week ? (week[weekday] ?? []) : ALL_DAY);
}

function common(some: readonly TimeRange[], others: readonly TimeRange[]): TimeRange[] {
  return some
    .flatMap((one) => others.map((other) => overlapOf(one, other)))
    .filter(({ from, until }) => from < until)
    .sort((a, b) => a.from.getTime() - b.from.getTime());
}
