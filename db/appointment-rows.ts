import { sql, type RawBuilder } from 'kysely';
import type { AppointmentRow } from './entities/appointment.entity.ts';
import { eventParts, type EventToInsert } from './insert-event.ts';
import type { Sql } from './open-database.ts';
import { APPOINTMENT_COLUMNS, toAppointment, type RawAppointment } from './to-appointment.ts';

export interface LockedAppointment {
  appointment: AppointmentRow;
  tenantName: string;
}

/**
 * Reads an appointment with its clinic's name and holds it until the transaction ends; null when there is none for which
 * `condition` is true. A rival that holds the row is waited for, and the question is asked again of what it left.
 */
export async function lockAppointment(
  tx: Sql,
  tenantId: string,
  appointmentId: string,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<LockedAppointment | null> {
  const { rows } = await sql<RawAppointment & { tenant_name: string }>`
    SELECT appointment.*, tenant.name AS tenant_name
    FROM appointment
    JOIN tenant ON tenant.id = appointment.tenant_id
    WHERE appointment.tenant_id = ${tenantId}
      AND appointment.id = ${appointmentId}
      AND ${condition}
    FOR NO KEY UPDATE OF appointment
  `.execute(tx.getKysely());
  const [row] = rows;
  return row ? { appointment: toAppointment(tx, row), tenantName: row.tenant_name } : null;
}

export async function findAppointment(
  tx: Sql,
  tenantId: string,
  appointmentId: string,
): Promise<AppointmentRow | null> {
  const { rows } = await sql<RawAppointment>`
    SELECT * FROM appointment WHERE tenant_id = ${tenantId} AND id = ${appointmentId}
  `.execute(tx.getKysely());
  return rows[0] ? toAppointment(tx, rows[0]) : null;
}

export type NewAppointment = Pick<
  AppointmentRow,
  | 'id'
  | 'tenantId'
  | 'professionalId'
  | 'serviceTypeId'
  | 'patientName'
  | 'patientPhoneHash'
  | 'startsAt'
  | 'endsAt'
  | 'blockUntil'
  | 'source'
  | 'patientNotes'
  | 'metadata'
  | 'externalId'
  | 'rescheduledFromId'
>;

/**
 * Inserts a confirmed appointment, or returns null when its slot or its external id is taken.
 */
export async function insertAppointment(tx: Sql, row: NewAppointment): Promise<AppointmentRow | null> {
  const { rows } = await sql<RawAppointment>`${insertion(row)}`.execute(tx.getKysely());
  return rows[0] ? toAppointment(tx, rows[0]) : null;
}

/**
 * Inserts a confirmed appointment and, if that succeeded, its event, in one statement, which needs no transaction around
 * it. `body` is the event's body in pieces, between which the instant of the booking belongs.
 */
export async function insertAppointmentWithEvent(
  db: Sql,
  row: NewAppointment,
  { body, ...event }: Omit<EventToInsert, 'body'> & { body: readonly string[] },
): Promise<AppointmentRow | null> {
  const whole = sql`array_to_string(
    ${body}::text[],
    to_char(now()::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )`;
  const { rows } = await sql<RawAppointment>`
    /* prepared: insert-appointment-with-event */
    WITH booked AS (${insertion(row)}),
    ${eventParts(event, { body: whole, onlyIf: sql`EXISTS (SELECT FROM booked)` })}
    SELECT * FROM booked
  `.execute(db.getKysely());
  return rows[0] ? toAppointment(db, rows[0]) : null;
}

/** `ON CONFLICT` makes the insert wait for a rival and then yield; a bare insert into an exclusion constraint deadlocks. */
function insertion(row: NewAppointment): RawBuilder<unknown> {
  return sql`
    INSERT INTO appointment (
      id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, starts_at, ends_at,
      block_from, block_until, source, patient_notes, metadata, external_id, rescheduled_from_id
    )
    VALUES (
      ${row.id}, ${row.tenantId}, ${row.professionalId}, ${row.serviceTypeId}, ${row.patientName},
      ${row.patientPhoneHash}, ${row.startsAt}, ${row.endsAt}, ${row.startsAt}, ${row.blockUntil}, ${row.source},
      ${row.patientNotes}, ${asJson(row.metadata)}::jsonb, ${row.externalId}, ${row.rescheduledFromId}
    )
    ON CONFLICT DO NOTHING
    RETURNING ${APPOINTMENT_COLUMNS}
  `;
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
 * because receivers order by it.
 */
export async function updateAppointment(
  tx: Sql,
  locked: AppointmentRow,
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
        updated_at = greatest(
          date_trunc('milliseconds', clock_timestamp()),
          updated_at + interval '1 millisecond'
        )
    WHERE tenant_id = ${locked.tenantId}
      AND id = ${locked.id}
    RETURNING *
  `.execute(tx.getKysely());
  const [row] = rows;
  if (!row) throw new Error('a locked appointment was gone when it was written');
  return toAppointment(tx, row);
}

/** Whether a current appointment of the clinic bears the external id. */
export async function isExternalIdTaken(
  tx: Sql,
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
  `.execute(tx.getKysely());
  return rows.length > 0;
}

function asJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
