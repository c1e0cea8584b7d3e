import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { DateTime } from 'luxon';
import { tzlib_get_ical_block } from 'timezones-ical-library';

/** A visit as a patient's calendar has it. */
export interface CalendarEntry {
  /** The same for all appointments of one chain of moves. */
  uid: string;
  /** Grows with each change. */
  sequence: number;
  changedAt: Date;
  isCancelled: boolean;
  startsAt: Date;
  endsAt: Date;
  /** The clinic's, such as Europe/Lisbon. */
  zone: string;
  summary: string;
  location: string;
  description: string;
  /** Of its page. */
  url: string;
}

/** The file of an entry (RFC 5545): a later one replaces what the calendar has, or marks it as cancelled. */
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

/** A VTIMEZONE, which the library names by the zone that an older name such as Europe/Amsterdam stands for. */
function rulesOf(zone: string): string | null {
  const [rules = '', line = ''] = tzlib_get_ical_block(zone);
  return rules === '' ? null : rules.replaceAll(line.replace('TZID=', ''), zone);
}
