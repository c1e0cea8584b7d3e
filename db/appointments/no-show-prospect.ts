import { sql } from 'kysely';
import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import { lockAppointment, type LockedAppointment } from './lock-appointment.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Holds an appointment that is still confirmed when its grace has passed, by the database's clock; null when there is none. */
export function lockOverdueAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
  graceSeconds: number,
): Promise<LockedAppointment | null> {
  const isOverdue = sql`
    held.status = 'confirmed'
    AND held.starts_at + make_interval(secs => ${graceSeconds}) <= clock_timestamp()
  `;
  return lockAppointment(em, tenantId, appointmentId, isOverdue);
}

export interface NoShowProspect {
  status: AppointmentStatus;
  /** Until the grace has passed, by the database's clock; negative afterwards. */
  dueInMs: number;
}

/** How an appointment stands towards its no-show; null when there is no such appointment. */
export async function findNoShowProspect(
  em: EntityManager,
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
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
