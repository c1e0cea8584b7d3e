import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { DateTime } from 'luxon';
import { tzlib_get_ical_block } from 'timezones-ical-library';

/** A visit as it is shown in a patient's calendar. */
export interface CalendarEntry {
  /** Identical for all appointments of one chain of moves. */
  uid: string;
  /** Increases with each change. */
  sequence: number;
  changedAt: Date;
  isCancelled: boolean;
  startsAt: Date;
  endsAt: Date;
  /** The clinic's time zone, such as Europe/Lisbon. */
  zone: string;
  summary: string;
  location: string;
  description: string;
  /** The address of the visit's page. */
  url: string;
}

/**
 * The calendar file of an entry (RFC 5545). A later file replaces the entry in the calendar, or marks it as cancelled.
 */
export function calendarFile(entry: CalendarEntry): string {
  const { uid, sequence, changedAt, isCancelled, zone, summary, location, description, url } = entry;
  const calendar = ical({
    prodId: '//clinic//self-service//EN',
    method: ICalCalendarMethod.PUBLISH,
    // Without a name, or times that must be in UTC would be written in it.
    timezone: { name: null, generator: rulesOf },
  });
  const local = (at: Date) => DateTime.fromJSDate(at, { zone });
  calendar.createEvent({
    id: uid,
    sequence,
    stamp: changedAt,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    timezone: zone,
    start: local(entry.startsAt),
    end: local(entry.endsAt),
    summary,
    location,
    description,
    url,
  });
  return calendar.toString();
}

/**
 * A VTIMEZONE with the requested name: for an older name such as Europe/Amsterdam, the library uses the zone it stands
 * for.
 */
function rulesOf(zone: string): string | null {
  const [rules = '', line = ''] = tzlib_get_ical_block(zone);
  return rules === '' ? null : rules.replaceAll(line.replace('TZID=', ''), zone);
}
