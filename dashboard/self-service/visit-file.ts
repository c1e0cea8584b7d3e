import { isolated } from '../../domain/text/isolated-text.ts';
import { calendarFile } from '../../adapters/calendar/calendar-file.ts';
import { findCalendarIdentity } from '../../db/appointments/appointment-history.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import type { Guest } from './guest.ts';
import type { Visit } from './visit.ts';

/**
 * The file with the visit for the patient's calendar, where a later file replaces an earlier one. @param url the
 * address of the visit's page
 */
export async function visitFile(
  { clinic, format, read }: Guest,
  { appointment, service, professional }: Visit,
  url: string,
): Promise<string> {
  const { startsAt, endsAt, updatedAt, status } = appointment;
  const identity = await read((em) => findCalendarIdentity(em, appointment.id));
  return calendarFile({
    ...identity,
    startsAt,
    endsAt,
    changedAt: updatedAt,
    isCancelled: status === 'cancelled',
    zone: format.zone,
    summary: service === null ? clinic.name : `${service}, ${clinic.name}`,
    location: addressOf(clinic),
    description: professional,
    url,
  });
}

export function addressOf(clinic: TenantRow): string {
  return [isolated(clinic.name), streetOf(clinic)].filter(Boolean).join(', ');
}

/** The address without the clinic's name; empty when the clinic has none. */
export function streetOf({ address, postalCode, city }: TenantRow): string {
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [address ?? '', town].filter(Boolean).map(isolated).join(', ');
}
