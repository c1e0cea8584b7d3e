import { sql, type RawBuilder } from 'kysely';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { instantAfter } from '../connection/instant-after.ts';
import { prepared } from '../connection/prepared.ts';
import { APPOINTMENT_COLUMNS, toAppointment, type RawAppointment } from './to-appointment.ts';

export interface LockedAppointment {
  appointment: AppointmentRow;
  tenantName: string;
  /** The instant of the change, by the database's clock once the row is held; always after the row's last change. */
  now: Date;
}

/**
 * Reads an appointment with its clinic's name and holds it until the transaction ends; null when there is none for which
 * `condition` is true. A rival that holds the row is waited for, and the question is asked again of what it left.
 */
export async function lockAppointment(
  em: EntityManager,
  tenantId: string,
  appointmentId: string,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<LockedAppointment | null> {
  const { rows } = await sql<RawAppointment & { tenant_name: string; now: string }>`
    SELECT locked.*, ${instantAfter(sql`updated_at`)} AS now
    FROM (
      SELECT appointment.*, tenant.name AS tenant_name
      FROM appointment
      JOIN tenant ON tenant.id = appointment.tenant_id
      WHERE appointment.tenant_id = ${tenantId}
        AND appointment.id = ${appointmentId}
        AND ${condition}
      FOR NO KEY UPDATE OF appointment
    ) locked
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return null;
  const now = em.getPlatform().parseDate(row.now);
  return { appointment: toAppointment(em, row), tenantName: row.tenant_name, now };
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

/** What a command may change of a stored appointment. */
export type AppointmentEdit = Partial<
  Pick<
    AppointmentRow,
    | 'status'
    | 'blocks'
    | 'patientNotes'
    | 'metadata'
    | 'externalId'
    | 'cancellationReason'
    | 'checkedInAt'
    | 'rescheduledToId'
  >
>;

/**
 * Writes `edit` over a locked appointment and raises its version. `updated_at` never repeats or goes back for a row,
 * because receivers order by it: `now` of the lock is later than it.
 */
export async function updateAppointment(
  em: EntityManager,
  { appointment: locked, now }: LockedAppointment,
  edit: AppointmentEdit,
): Promise<AppointmentRow> {
  const next = { ...locked, ...edit };
  const { rows } = await sql<RawAppointment>`
    UPDATE appointment
    SET status = ${next.status},
        blocks = ${next.blocks},
        patient_notes = ${next.patientNotes},
        metadata = ${asJson(next.metadata)}::jsonb,
        external_id = ${next.externalId},
        cancellation_reason = ${next.cancellationReason},
        checked_in_at = ${next.checkedInAt},
        rescheduled_to_id = ${next.rescheduledToId},
        version = version + 1,
        updated_at = ${now}
    WHERE tenant_id = ${locked.tenantId}
      AND id = ${locked.id}
    RETURNING *
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('a locked appointment was gone when it was written');
  return toAppointment(em, row);
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

function asJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
