import { sql } from 'kysely';
import { prepared, type EntityManager } from '../../connection/statements.ts';
import { lockTimeout, WAIT_FOR_RIVALS_MS } from '../../connection/locks/lock-timeout.ts';
import type { AppointmentRow } from '../../entities/appointment.entity.ts';
import { eventParts, type StampedEvent } from '../../webhooks/events/insert-event.ts';
import { sealEvents } from '../../webhooks/events/sealed-body.ts';
import { appointmentReader } from '../appointment-reader.ts';

const LEFT_TO_DEFAULTS = ['rescheduledToId', 'version'] as const;
const STAMPED = ['createdAt', 'updatedAt'] as const;

/** A visit with the status that it has from the beginning. */
export type NewVisitRow = Omit<AppointmentRow, (typeof LEFT_TO_DEFAULTS | typeof STAMPED)[number]>;

export interface NewVisit {
  row: NewVisitRow;
  /** What is told of it, in order. */
  events: readonly StampedEvent[];
}

const GIVEN_COLUMNS = appointmentReader.columnsBut(...LEFT_TO_DEFAULTS, ...STAMPED);

/**
 * Inserts visits with what is told of them, in one statement; returns the ids of those whose slot and external id were free.
 * Like bookings they take slots in the order of time: db/appointments/insert-appointments.ts
 */
export async function insertVisits(em: EntityManager, visits: readonly NewVisit[]): Promise<Set<string>> {
  const given = visits.map(({ row }) => row);
  const records = JSON.stringify(await appointmentReader.toRecords(em, given));
  const events = await sealEvents(
    em,
    visits.flatMap((visit) => visit.events),
  );
  const rows = await prepared<{ id: string }>(em)`
    WITH booked AS (
      INSERT INTO appointment (${GIVEN_COLUMNS}, created_at, updated_at)
      SELECT ${GIVEN_COLUMNS}, now(), now()
      FROM json_populate_recordset(NULL::appointment, ${records}::json)
      CROSS JOIN ${lockTimeout(WAIT_FOR_RIVALS_MS.alone)}
      ORDER BY professional_id, starts_at, id
      ON CONFLICT DO NOTHING
      RETURNING id
    ),
    ${eventParts(events, sql`appointment_id IN (SELECT id FROM booked)`)}
    SELECT id AS "id" FROM booked
  `;
  return new Set(rows.map(({ id }) => id));
}
