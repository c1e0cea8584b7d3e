import ical, { ICalCalendarMethod } from 'ical-generator';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { Visit } from './visit.ts';

/** The visit for the patient's calendar (RFC 5545); the same visit again replaces what is there. @param url of its page */
export function calendarFile(
  { appointment, service, professional }: Visit,
  clinic: TenantRow,
  url: string,
): string {
  const { id, startsAt, endsAt, version, updatedAt } = appointment;
  const calendar = ical({ prodId: '//clinic//self-service//EN', method: ICalCalendarMethod.PUBLISH });
  calendar.createEvent({
    id,
    start: startsAt,
    end: endsAt,
    stamp: updatedAt,
    sequence: version,
    summary: service === null ? clinic.name : `${service}, ${clinic.name}`,
    location: addressOf(clinic),
    description: professional,
    url,
  });
  return calendar.toString();
}

export function addressOf({ name, address, postalCode, city }: TenantRow): string {
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [name, address, town].filter(Boolean).join(', ');
}
