import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';
import { readAppointmentPage, type AppointmentPage } from './appointment-page.ts';
import { appointmentConditions, type AppointmentFilter } from './list-appointments.ts';

/** The clinic's appointments that changed at or after `updatedSince`, by (`updatedAt`, `id`), those after `after` only. */
export function listUpdatedAppointments(
  em: EntityManager,
  { updatedSince, ...filter }: AppointmentFilter & { updatedSince: Date },
  page: { limit: number; after?: { updatedAt: Date; id: string } | undefined },
): Promise<AppointmentPage> {
  const conditions = [
    ...appointmentConditions(filter),
    sql`updated_at >= ${updatedSince}`,
    ...(page.after ? [sql`(updated_at, id) > (${page.after.updatedAt}, ${page.after.id}::uuid)`] : []),
  ];
  return readAppointmentPage(em, conditions, sql`updated_at, id`, page.limit);
}
