import { DateTime } from 'luxon';
import { knownZone } from './clinic/hours/business-hours.ts';

/** Calendar months after the last attended appointment: docs/recall.md#when-a-recall-is-due */
const MONTHS_SINCE_VISIT = 6;
const FIRST_LOCAL_HOUR = 9;

/** A clinic's local date on which its recalls may be sent. */
export interface RecallDay {
  /** IANA name. */
  zone: string;
  /** `2026-08-31` */
  date: string;
}

/**
 * The local date in a clinic's zone if it is 09:00 or later there; otherwise null. An unknown zone counts as the
 * default zone.
 */
export function recallDay(timezone: string | null, now: Date): RecallDay | null {
  const zone = knownZone(timezone);
  const local = DateTime.fromJSDate(now, { zone });
  return local.hour < FIRST_LOCAL_HOUR ? null : { zone, date: isoDate(local) };
}

/**
 * Appointments that started before this time are at least six calendar months old on that date. If a month lacks the
 * day, its last day counts: 29, 30 and 31 August are all due on 28 February.
 */
export function recallDueBefore({ zone, date }: RecallDay): Date {
  const today = calendarDate(date);
  let visit = today.minus({ months: MONTHS_SINCE_VISIT });
  while (visit.plus({ months: MONTHS_SINCE_VISIT }) <= today) visit = visit.plus({ days: 1 });
  return DateTime.fromISO(isoDate(visit), { zone }).startOf('day').toJSDate();
}

/** Whole days between the two local dates, regardless of clock changes. */
export function daysSinceVisit(lastVisitAt: Date, { zone, date }: RecallDay): number {
  const visit = calendarDate(isoDate(DateTime.fromJSDate(lastVisitAt, { zone })));
  return calendarDate(date).diff(visit, 'days').days;
}

/** Dates without a zone are computed in UTC, where every day has 24 hours. */
function calendarDate(date: string): DateTime {
  return DateTime.fromISO(date, { zone: 'utc' });
}

function isoDate(local: DateTime): string {
  return local.toFormat('yyyy-MM-dd');
}
