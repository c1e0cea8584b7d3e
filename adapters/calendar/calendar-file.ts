import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
  type ICalEvent,
} from 'ical-generator';
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

/** Who sends the file of an entry by mail, and to whom (RFC 5546, sections 3.2.2 and 3.2.5). */
export interface Invitation {
  organizer: { name: string; email: string };
  attendee: string;
}

/**
 * The calendar file of an entry (RFC 5545). A later file replaces the entry in the calendar, or marks it as cancelled.
 * @param invitation of a file that is mailed, so that calendars take it from the mail
 */
export function calendarFile(entry: CalendarEntry, invitation?: Invitation): string {
  const { uid, sequence, changedAt, isCancelled, zone, summary, location, description, url } = entry;
  const calendar = ical({
    prodId: '//clinic//self-service//EN',
    method: invitation ? methodOf(entry) : ICalCalendarMethod.PUBLISH,
    // Without a name, or times that must be in UTC would be written in it.
    timezone: { name: null, generator: rulesOf },
  });
  const local = (at: Date) => DateTime.fromJSDate(at, { zone });
  const event = calendar.createEvent({
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
  if (invitation) invite(event, invitation);
  return calendar.toString();
}

/** The `METHOD` of a mailed file. */
export function methodOf({ isCancelled }: Pick<CalendarEntry, 'isCancelled'>) {
  return isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST;
}

/** The patient has accepted by booking, so that calendars do not ask for an answer. */
function invite(event: ICalEvent, { organizer, attendee: email }: Invitation): void {
  event.organizer(organizer);
  event.createAttendee({
    email,
    status: ICalAttendeeStatus.ACCEPTED,
    role: ICalAttendeeRole.REQ,
    rsvp: false,
  });
}

/**
 * A VTIMEZONE with the requested name: for an older name such as Europe/Amsterdam, the library uses the zone it stands
 * for.
 */
function rulesOf(zone: string): string | null {
  const [rules = '', line = ''] = tzlib_get_ical_block(zone);
  return rules === '' ? null : rules.replaceAll(line.replace('TZID=', ''), zone);
}
