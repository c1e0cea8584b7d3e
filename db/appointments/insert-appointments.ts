import { sql, type RawBuilder } from 'kysely';
import { SAID_LATER, KEPT_BY_STATEMENTS, type AppointmentRow } from '../entities/appointment.entity.ts';
import { eventParts, type StampedEvent } from '../webhooks/events/insert-event.ts';
import { sealEvents } from '../webhooks/events/sealed-body.ts';
import { columnsExcept, listOf } from '../connection/columns.ts';
import { firstRow, prepared, rowsOf, type EntityManager } from '../connection/statements.ts';
import { CHANGED_AT, CHANGING } from '../connection/sync-mark.ts';
import { openRow, openRows } from '../encryption/field-seal.ts';
import { lockTimeout, WAIT_FOR_RIVALS_MS } from '../connection/locks.ts';
import { APPOINTMENT_COLUMNS, STORED_APPOINTMENT, toRecords } from './appointment-reader.ts';

/** Columns that the table's defaults and the time of the statement set. */
const NOT_GIVEN = [
  'status',
  'cancellationReason',
  'checkedInAt',
  'rescheduledToId',
  'version',
  'createdAt',
  'updatedAt',
  ...SAID_LATER,
] as const;

export type NewAppointment = Omit<AppointmentRow, (typeof NOT_GIVEN)[number]>;

const GIVEN_COLUMNS = listOf(columnsExcept('appointment', ...NOT_GIVEN, ...KEPT_BY_STATEMENTS));

/** Inserts an appointment confirmed at `now`; null when its slot or external id is taken. */
export async function insertAppointment(em: EntityManager, row: NewAppointment, now: Date) {
  const records = await toRecords(em, [row]);
  const inserted = await firstRow(em, STORED_APPOINTMENT)`${insertion(records, sql`${now}::timestamptz`)}`;
  return inserted && openRow(em, 'appointment', inserted);
}

export interface NewBooking {
  appointment: NewAppointment;
  event: StampedEvent;
}

/**
 * Inserts confirmed appointments with their events in one statement, which needs no transaction. Appointments whose
 * slot or external ID is taken are not inserted and are missing from the result.
 */
export async function insertBookings(
  em: EntityManager,
  bookings: readonly NewBooking[],
  longestWaitMs: number,
): Promise<AppointmentRow[]> {
  const given = bookings.map(({ appointment }) => appointment);
  const told = bookings.map(({ event }) => event);
  const records = await toRecords(em, given);
  const rows = await rowsOf(prepared(em), STORED_APPOINTMENT)`
    WITH ${CHANGING},
    booked AS (${insertion(records, CHANGED_AT, longestWaitMs)}),
    ${eventParts(await sealEvents(em, told), sql`appointment_id IN (SELECT id FROM booked)`)}
    SELECT ${APPOINTMENT_COLUMNS} FROM booked
  `;
  return openRows(em, 'appointment', rows);
}

/**
 * With `ON CONFLICT`, the insert waits for a concurrent transaction and then skips the row; without it, inserts into an
 * exclusion constraint can deadlock. For the same reason, a professional's slots are inserted in order of time.
 */
function insertion(records: string, now: RawBuilder<unknown>, longestWaitMs = WAIT_FOR_RIVALS_MS.alone) {
  return sql`
    INSERT INTO appointment (${GIVEN_COLUMNS}, created_at, updated_at)
    SELECT ${GIVEN_COLUMNS}, ${now}, ${now}
    FROM json_populate_recordset(NULL::appointment, ${records}::json)
    CROSS JOIN ${lockTimeout(longestWaitMs)}
    ORDER BY professional_id, starts_at
    ON CONFLICT DO NOTHING
    RETURNING ${APPOINTMENT_COLUMNS}
  `;
}
