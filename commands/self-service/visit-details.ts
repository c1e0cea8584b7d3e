import { calendarFile, type Invitation } from '../../adapters/calendar/calendar-file.ts';
import { findCalendarIdentity } from '../../db/appointments/appointment-history.ts';
import { findProfessional } from '../../db/clinic/professionals.ts';
import { findService } from '../../db/clinic/services.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { isolated } from '../../domain/text/isolated-text.ts';

/** What a patient sees of an appointment besides its time. */
export interface VisitDetails {
  appointment: AppointmentRow;
  professional: string;
  service: string | null;
}

export async function findVisitDetails(
  em: EntityManager,
  appointment: AppointmentRow,
): Promise<VisitDetails> {
  const { tenantId, professionalId, serviceTypeId } = appointment;
  const professional = await findProfessional(em, tenantId, professionalId);
  const found = serviceTypeId === null ? null : await findService(em, tenantId, serviceTypeId);
  return {
    appointment,
    professional: professional ? nameOf(professional) : '',
    service: found?.service.name ?? null,
  };
}

export function nameOf({ title, name }: Pick<ProfessionalRow, 'title' | 'name'>): string {
  return title === null ? name : `${title} ${name}`;
}

export function addressOf(clinic: TenantRow): string {
  return [isolated(clinic.name), streetOf(clinic)].filter(Boolean).join(', ');
}

/** The address without the clinic's name; empty when the clinic has none. */
export function streetOf({ address, postalCode, city }: TenantRow): string {
  const town = [postalCode, city].filter(Boolean).join(' ');
  return [address ?? '', town].filter(Boolean).map(isolated).join(', ');
}

/**
 * The file with the visit for the patient's calendar, where a later file replaces an earlier one.
 * @param url the address of the visit's page
 * @param invitation of a file that is mailed
 */
export async function visitFile(
  em: EntityManager,
  clinic: TenantRow,
  { appointment, service, professional }: VisitDetails,
  { url, invitation }: { url: string; invitation?: Invitation },
): Promise<string> {
  const { startsAt, endsAt, updatedAt, status } = appointment;
  const identity = await findCalendarIdentity(em, appointment.id);
  const entry = {
    ...identity,
    startsAt,
    endsAt,
    changedAt: updatedAt,
    isCancelled: status === 'cancelled',
    zone: timezoneOf(clinic.config),
    summary: service === null ? clinic.name : `${service}, ${clinic.name}`,
    location: addressOf(clinic),
    description: professional,
    url,
  };
  return calendarFile(entry, invitation);
}
