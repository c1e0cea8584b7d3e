import { sql } from 'kysely';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';
import type { RawRow } from '../connection/row-reader.ts';
import { appointmentReader } from './appointment-reader.ts';

export async function findAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<AppointmentRow | null> {
  const { rows } = await prepared<RawRow>(em)`
    SELECT ${appointmentReader.columns} FROM appointment WHERE tenant_id = ${tenantId} AND id = ${appointmentId}
  `;
  return rows[0] ? appointmentReader.read(em, rows[0]) : null;
}

/** Whether a current appointment of the clinic bears the external id. */
export async function isExternalIdTaken(
  em: EntityManager,
  tenantId: string,
  externalId: string,
  exceptId: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM appointment
    WHERE tenant_id = ${tenantId}
      AND external_id = ${externalId}
      AND status NOT IN ('cancelled', 'rescheduled')
      AND id IS DISTINCT FROM ${exceptId}::uuid
  `.execute(em.getKysely());
  return rows.length > 0;
}
