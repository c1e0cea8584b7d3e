import { sql } from 'kysely';
import type { AppointmentStatus } from '../domain/appointment-status.ts';
import type { LockedAppointment } from './appointment-rows.ts';
import { AppointmentEntity } from './entities/appointment.entity.ts';
import type { Sql } from './open-database.ts';

/**
 * Holds an appointment that is still confirmed when its grace has passed, by the database's clock; null when there is
 * none. A rival that holds the row is waited for, and the question is asked again of what it left.
 */
export async function lockOverdueAppointment(
  tx: Sql,
  tenantId: string,
  appointmentId: string,
  graceSeconds: number,
): Promise<LockedAppointment | null> {
  const { rows } = await sql<Record<string, unknown> & { tenant_name: string }>`
    SELECT appointment.*, tenant.name AS tenant_name
    FROM appointment
    JOIN tenant ON tenant.id = appointment.tenant_id
    WHERE appointment.tenant_id = ${tenantId}
      AND appointment.id = ${appointmentId}
      AND appointment.status = 'confirmed'
      AND appointment.starts_at + make_interval(secs => ${graceSeconds}) <= clock_timestamp()
    FOR NO KEY UPDATE OF appointment
  `.execute(tx.getKysely());
  const [row] = rows;
  if (!row) return null;
  const { tenant_name: tenantName, ...columns } = row;
  return { appointment: tx.map(AppointmentEntity, columns), tenantName };
}

export interface NoShowProspect {
  status: AppointmentStatus;
  /** Until the grace has passed, by the database's clock; negative afterwards. */
  dueInMs: number;
}

/** How an appointment stands towards its no-show; null when there is no such appointment. */
export async function findNoShowProspect(
  tx: Sql,
  tenantId: string,
  appointmentId: string,
  graceSeconds: number,
): Promise<NoShowProspect | null> {
  const { rows } = await sql<NoShowProspect>`
    SELECT
      status,
      (extract(epoch FROM starts_at + make_interval(secs => ${graceSeconds}) - clock_timestamp()) * 1000)::float8
        AS "dueInMs"
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND id = ${appointmentId}
  `.execute(tx.getKysely());
  return rows[0] ?? null;
}
