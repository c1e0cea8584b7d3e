import { sql } from 'kysely';
import type { AppointmentRow } from '../entities/appointment.entity.ts';
import { eventParts, type StampedEvent } from '../webhooks/events/insert-event.ts';
import { sealEvents } from '../webhooks/events/sealed-body.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import { CHANGED_AT, CHANGING } from '../connection/sync-mark.ts';
import { openRows } from '../encryption/field-seal.ts';
import { lockTimeout, WAIT_FOR_RIVALS_MS } from '../connection/locks.ts';
import { APPOINTMENT_COLUMNS, STORED_APPOINTMENT, toRecords } from './appointment-reader.ts';

export interface AppointmentUpdate {
  /** The appointment as it was read, with the new notes and metadata. */
  appointment: Pick<AppointmentRow, 'tenantId' | 'id' | 'version' | 'patientNotes' | 'metadata'>;
  event: StampedEvent;
}

/**
 * Overwrites appointments that have not changed since they were read, with their events, in one statement, which needs
 * no transaction. Appointments that are locked or have changed are missing from the result and have no event. The
 * statement does not wait for locks, so it cannot deadlock.
 */
export async function updateAppointments(em: EntityManager, updates: readonly AppointmentUpdate[]) {
  const given = updates.map(({ appointment: { tenantId, id, version, patientNotes, metadata } }) => {
    return { tenantId, id, version, patientNotes, metadata };
  });
  const told = updates.map(({ event }) => event);
  const records = await toRecords(em, given);
  const rows = await rowsOf(prepared(em), STORED_APPOINTMENT)`
    WITH ${CHANGING},
    given AS MATERIALIZED (
      SELECT given.*
      FROM json_populate_recordset(NULL::appointment, ${records}::json) given
      CROSS JOIN ${lockTimeout(WAIT_FOR_RIVALS_MS.together)}
      -- Not joined, so that each is looked up by its key: see docs/decisions/0031.
      CROSS JOIN LATERAL (
        SELECT
        FROM appointment
        WHERE tenant_id = given.tenant_id
          AND id = given.id
          AND version = given.version
          -- It never repeats or goes back for a row.
          AND updated_at < ${CHANGED_AT}
        FOR NO KEY UPDATE SKIP LOCKED
      ) held
      -- Takes none away; PostgreSQL would expect a hundred, and read the table as a whole to join them. A parameter would have
      -- it plan again for each number.
      LIMIT ${sql.lit(nextPowerOfEight(updates.length))}
    ),
    updated AS (
      UPDATE appointment
      SET patient_notes = given.patient_notes,
          metadata = given.metadata,
          version = given.version + 1,
          updated_at = ${CHANGED_AT}
      FROM given
      -- By the key alone: see docs/decisions/0031.
      WHERE appointment.id = given.id
      RETURNING appointment.*
    ),
    ${eventParts(await sealEvents(em, told), sql`appointment_id IN (SELECT id FROM updated)`)}
    SELECT ${APPOINTMENT_COLUMNS} FROM updated
  `;
  return openRows(em, 'appointment', rows);
}

/** Rounds up to a few fixed sizes, because each size needs its own prepared statement. */
function nextPowerOfEight(count: number): number {
  return 8 ** Math.ceil(Math.log2(count) / 3);
}
