import { sql, type RawBuilder } from 'kysely';
import { AppointmentEntity, type AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { lockWithClinic, type Locked } from '../connection/lock-with-clinic.ts';
import { prepared } from '../connection/prepared.ts';
import {
  APPOINTMENT_COLUMNS,
  appointmentReader,
  toAppointment,
  type RawAppointment,
} from './to-appointment.ts';

export interface LockedAppointment extends Locked {
  appointment: AppointmentRow;
}

/** Holds an appointment until the transaction ends. @param condition on the row `held` */
export async function lockAppointment(
  em: EntityManager,
  tenantId: string,
  id: string,
  condition?: RawBuilder<unknown>,
): Promise<LockedAppointment | null> {
  const locked = await lockWithClinic(em, appointmentReader, { tenantId, id }, condition);
  return locked && { ...locked, appointment: toAppointment(em, locked.row) };
}

export async function findAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
): Promise<AppointmentRow | null> {
  const { rows } = await prepared<RawAppointment>(em)`
    SELECT ${APPOINTMENT_COLUMNS} FROM appointment WHERE tenant_id = ${tenantId} AND id = ${appointmentId}
  `;
  return rows[0] ? toAppointment(em, rows[0]) : null;
}

/**
 * Writes `edit` over a locked appointment and raises its version. `updatedAt` never repeats or goes back for a row,
 * because receivers order by it: `now` of the lock is later than it.
 */
export async function updateAppointment(
  em: EntityManager,
  { appointment, now }: LockedAppointment,
  edit: Partial<AppointmentRow>,
): Promise<AppointmentRow> {
  const { tenantId, id, version } = appointment;
  const changes = { ...edit, version: version + 1, updatedAt: now };
  await em.nativeUpdate(AppointmentEntity, { tenantId, id }, changes);
  return { ...appointment, ...changes };
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
