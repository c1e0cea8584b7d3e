import type { AppointmentRow } from '../entities/appointment.entity.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import type { RawRow } from '../connection/row-reader.ts';
import { appointmentReader } from './appointment-reader.ts';

export type SoughtAppointment = Pick<AppointmentRow, 'tenantId' | 'id'>;

export async function findAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<AppointmentRow | null> {
  const rows = await prepared<RawRow>(em)`
    SELECT ${appointmentReader.columns} FROM appointment WHERE tenant_id = ${tenantId} AND id = ${appointmentId}
  `;
  return rows[0] ? appointmentReader.read(em, rows[0]) : null;
}

export interface FoundAppointment {
  appointment: AppointmentRow;
  tenantName: string;
}

/** The same for appointments of any clinics in one round trip, each in its place, with the clinic's name. */
export async function findAppointments(
  em: EntityManager,
  sought: readonly SoughtAppointment[],
): Promise<(FoundAppointment | null)[]> {
  const places = sought.map(({ tenantId, id }, place) => ({ place, clinic: tenantId, appointment: id }));
  const rows = await prepared<RawRow & { place: number; tenantName: string }>(em)`
    SELECT
      sought.place AS "place", (SELECT name FROM tenant WHERE tenant.id = sought.clinic) AS "tenantName", found.*
    FROM json_to_recordset(${JSON.stringify(places)}::json) AS sought (place integer, clinic uuid, appointment uuid)
    CROSS JOIN LATERAL (
      SELECT ${appointmentReader.columns}
      -- Fenced off by OFFSET, so that each is looked up by its key alone: see docs/decisions/0031.
      FROM (SELECT * FROM appointment WHERE id = sought.appointment OFFSET 0) of_any_clinic
      WHERE tenant_id = sought.clinic
    ) found
  `;
  const found = sought.map((): FoundAppointment | null => null);
  for (const { place, tenantName, ...row } of rows) {
    found[place] = { appointment: await appointmentReader.read(em, row), tenantName };
  }
  return found;
}

/** Whether a current appointment of the clinic bears the external id. */
export async function isExternalIdTaken(
  em: EntityManager,
  tenantId: string,
  externalId: string,
  exceptId: string | null,
): Promise<boolean> {
  const rows = await rowsOf(em)`
    SELECT 1 FROM appointment
    WHERE tenant_id = ${tenantId}
      AND external_id = ${externalId}
      AND status NOT IN ('cancelled', 'rescheduled')
      AND id IS DISTINCT FROM ${exceptId}::uuid
  `;
  return rows.length > 0;
}
