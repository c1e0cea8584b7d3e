import { sql } from 'kysely';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { toAppointment, type RawAppointment } from './to-appointment.ts';
import { appointmentConditions, type AppointmentFilter } from './list-appointments.ts';

/** The clinic's appointments that changed at or after `updatedSince`, by (`updatedAt`, `id`), those after `after` only. */
export async function listUpdatedAppointments(
  em: EntityManager,
  { updatedSince, ...filter }: AppointmentFilter & { updatedSince: Date },
  page: { limit: number; after?: { updatedAt: Date; id: string } | undefined },
): Promise<AppointmentRow[]> {
  const conditions = [
    ...appointmentConditions(filter),
    sql`updated_at >= ${updatedSince}`,
    ...(page.after ? [sql`(updated_at, id) > (${page.after.updatedAt}, ${page.after.id}::uuid)`] : []),
  ];
  const { rows } = await sql<RawAppointment>`
    SELECT * FROM appointment
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY updated_at, id
    LIMIT ${page.limit}
  `.execute(em.getKysely());
  return rows.map((row) => toAppointment(em, row));
}
