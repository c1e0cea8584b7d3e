import { sql, type RawBuilder } from 'kysely';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import { eventParts, type StampedEvent } from '../webhooks/insert-event.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { prepared } from '../connection/prepared.ts';
import { APPOINTMENT_COLUMNS, toAppointment, type RawAppointment } from './to-appointment.ts';

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

/** Inserts an appointment confirmed at `now`, or returns null when its slot or its external id is taken. */
export async function insertAppointment(
  em: EntityManager,
  row: NewAppointment,
  now: Date,
): Promise<AppointmentRow | null> {
  const { rows } = await sql<RawAppointment>`${insertion([row], sql`${now}::timestamptz`)}`.execute(
    em.getKysely(),
  );
  return rows[0] ? toAppointment(em, rows[0]) : null;
}

/** How long a booking waits for a rival's transaction; then it fails with SQLSTATE 55P03, and with it those made together. */
export const WAIT_FOR_RIVALS_MS = { alone: 5000, together: 250 };

export interface NewBooking {
  appointment: NewAppointment;
  event: StampedEvent;
}

/**
 * Inserts confirmed appointments with their events, in one statement, which needs no transaction around it. Those whose
 * slot or external id is taken are missing from what it returns, and have no event.
 */
export async function insertBookings(
  em: EntityManager,
  bookings: readonly NewBooking[],
  longestWaitMs: number,
): Promise<AppointmentRow[]> {
  const { rows } = await prepared<RawAppointment>(em)`
    WITH booked AS (${insertion(
      bookings.map(({ appointment }) => appointment),
      sql`now()`,
      longestWaitMs,
    )}),
    ${eventParts(
      bookings.map(({ event }) => event),
      sql`appointment_id IN (SELECT id FROM booked)`,
    )}
    SELECT ${APPOINTMENT_COLUMNS} FROM booked
  `;
  return rows.map((row) => toAppointment(em, row));
}

/**
 * `ON CONFLICT` makes the insert wait for a rival and then yield; a bare insert into an exclusion constraint deadlocks.
 * Two that insert many each take the slots of a professional in the order of time, for the same reason.
 */
function insertion(
  rows: readonly NewAppointment[],
  now: RawBuilder<unknown>,
  longestWaitMs = WAIT_FOR_RIVALS_MS.alone,
): RawBuilder<unknown> {
  return sql`
    INSERT INTO appointment (
      id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, starts_at, ends_at,
      block_from, block_until, source, patient_notes, metadata, external_id, rescheduled_from_id,
      created_at, updated_at
    )
    SELECT
      id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, starts_at, ends_at,
      starts_at, block_until, source, patient_notes, metadata, external_id, rescheduled_from_id,
      ${now}, ${now}
    FROM json_to_recordset(${JSON.stringify(rows.map(toRecord))}::json) AS wanted (
      id uuid, tenant_id uuid, professional_id uuid, service_type_id uuid, patient_name text, patient_phone_hash text,
      starts_at timestamptz, ends_at timestamptz, block_until timestamptz, source text, patient_notes text,
      metadata jsonb, external_id text, rescheduled_from_id uuid
    )
    WHERE set_config('lock_timeout', ${String(longestWaitMs)}, true) <> ''
    ORDER BY professional_id, starts_at
    ON CONFLICT DO NOTHING
    RETURNING ${APPOINTMENT_COLUMNS}
  `;
}

function toRecord(row: NewAppointment) {
  return {
    id: row.id,
    tenant_id: row.tenantId,
    professional_id: row.professionalId,
    service_type_id: row.serviceTypeId,
    patient_name: row.patientName,
    patient_phone_hash: row.patientPhoneHash,
    starts_at: row.startsAt,
    ends_at: row.endsAt,
    block_until: row.blockUntil,
    source: row.source,
    patient_notes: row.patientNotes,
    metadata: row.metadata,
    external_id: row.externalId,
    rescheduled_from_id: row.rescheduledFromId,
  };
}
