import { sql } from 'kysely';
import { z } from 'zod';
import { TAKES_NO_TIME } from '../../../domain/appointments/taking-time.ts';
import { columnOf, columnsExcept, listOf } from '../../connection/columns.ts';
import { prepared, rowsOf, run, valuesOf, type EntityManager } from '../../connection/statements.ts';
import { CHANGED_AT, CHANGING, HELD_CHANGED_AT } from '../../connection/sync-mark.ts';
import { openRow } from '../../encryption/field-seal.ts';
import {
  SAID_LATER,
  AppointmentEntity,
  KEPT_BY_STATEMENTS,
  type AppointmentRow,
} from '../../entities/appointment.entity.ts';
import { lockTimeout, WAIT_FOR_RIVALS_MS } from '../../connection/locks.ts';
import { eventParts, type EventToInsert, type StampedEvent } from '../../webhooks/events/insert-event.ts';
import { sealEvents } from '../../webhooks/events/sealed-body.ts';
import { APPOINTMENT_COLUMNS, STORED_APPOINTMENT, toRecords } from '../appointment-reader.ts';

/**
 * Waits for other imports of the clinic, so that from here on they run one after the other. A repeated import then
 * finds what the first one created.
 */
export function waitForImports(em: EntityManager, tenantId: string) {
  return run(em)`
    SELECT pg_advisory_xact_lock(hashtextextended(${`import ${tenantId}`}, 0))
  `;
}

export interface HeldVisit {
  appointment: AppointmentRow;
  /** The time of the change: see db/connection/locks.ts */
  now: Date;
}

const HELD_VISIT = STORED_APPOINTMENT.extend({ heldAt: z.date() });

/**
 * Locks the clinic's appointments with these external ids until the transaction ends: for each ID the current
 * appointment, or else the one that was cancelled last. The order is fixed, so that two imports wait instead of
 * deadlocking.
 */
export async function lockVisits(em: EntityManager, tenantId: string, externalIds: readonly string[]) {
  const rows = await rowsOf(em, HELD_VISIT)`
    SELECT
      ${APPOINTMENT_COLUMNS},
      ${HELD_CHANGED_AT} AS held_at
    FROM (
      SELECT *
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND status <> 'rescheduled'
        AND id IN (
          SELECT DISTINCT ON (external_id) id
          FROM appointment
          WHERE tenant_id = ${tenantId}
            AND external_id = ANY(${[...externalIds]}::text[])
            AND status <> 'rescheduled'
          ORDER BY external_id, status = 'cancelled', updated_at DESC, id DESC
        )
      ORDER BY id
      FOR NO KEY UPDATE
    ) held
  `;
  const held = new Map<string, HeldVisit>();
  for (const { heldAt: now, ...row } of rows) {
    if (row.externalId !== null)
      held.set(row.externalId, { appointment: await openRow(em, 'appointment', row), now });
  }
  return held;
}

/** Columns that the table's defaults and the time of the statement set. */
const NOT_GIVEN = ['rescheduledToId', 'version', 'createdAt', 'updatedAt', ...SAID_LATER] as const;

/** An imported appointment with its first status. */
export type NewVisitRow = Omit<AppointmentRow, (typeof NOT_GIVEN)[number]>;

export interface NewVisit {
  row: NewVisitRow;
  /** The events of the appointment, in order. */
  events: readonly StampedEvent[];
}

const GIVEN_COLUMNS = listOf(columnsExcept('appointment', ...NOT_GIVEN, ...KEPT_BY_STATEMENTS));

/**
 * Inserts imported appointments with their events in one statement. Returns the IDs of the appointments whose slot and
 * external ID were free. Like bookings, slots are taken in order of time: db/appointments/insert-appointments.ts
 */
export async function insertVisits(em: EntityManager, visits: readonly NewVisit[]): Promise<Set<string>> {
  const given = visits.map(({ row }) => row);
  const told = visits.flatMap(({ events }) => events);
  const records = await toRecords(em, given);
  const ids = await valuesOf(prepared(em), z.string())`
    WITH ${CHANGING},
    booked AS (
      INSERT INTO appointment (${GIVEN_COLUMNS}, imported_version, created_at, updated_at)
      SELECT ${GIVEN_COLUMNS}, 1, ${CHANGED_AT}, ${CHANGED_AT}
      FROM json_populate_recordset(NULL::appointment, ${records}::json)
      CROSS JOIN ${lockTimeout(WAIT_FOR_RIVALS_MS.alone)}
      ORDER BY professional_id, starts_at, id
      ON CONFLICT DO NOTHING
      RETURNING id
    ),
    ${eventParts(await sealEvents(em, told), sql`appointment_id IN (SELECT id FROM booked)`)}
    SELECT id FROM booked
  `;
  return new Set(ids);
}

export interface ChangedVisit {
  /** The new values. The appointment occupies no more of the professional's time than before. */
  row: AppointmentRow;
  event: EventToInsert;
}

const ASSIGNMENTS = sql.join(
  columnsExcept('appointment', 'id', 'tenantId', 'createdAt', ...KEPT_BY_STATEMENTS)
    .map(columnOf)
    .map((column) => sql`${sql.ref(column)} = ${sql.ref(`given.${column}`)}`),
);

/** Overwrites locked appointments with their events, in one statement. */
export async function writeOverVisits(em: EntityManager, changed: readonly ChangedVisit[]): Promise<void> {
  const given = changed.map(({ row }) => row);
  const told = changed.map(({ event }) => event);
  const records = await toRecords(em, given);
  await run(em)`
    WITH ${CHANGING},
    written AS (
      UPDATE appointment
      SET ${ASSIGNMENTS}, imported_version = given.version
      FROM json_populate_recordset(NULL::appointment, ${records}::json) given
      -- By the key alone: see docs/decisions/0031. The rows given are of the clinic.
      WHERE appointment.id = given.id
    ),
    ${eventParts(await sealEvents(em, told))}
    SELECT
  `;
}

/** Marks the current version of a locked appointment as written by an import. */
export function markImported(em: EntityManager, tenantId: string, id: string) {
  return run(em)`
    UPDATE appointment SET imported_version = version WHERE tenant_id = ${tenantId} AND id = ${id}
  `;
}

/** Frees the slots of locked appointments that swap their times. */
export async function giveUpTimes(
  em: EntityManager,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await em.nativeUpdate(AppointmentEntity, { tenantId, id: { $in: [...ids] } }, TAKES_NO_TIME);
}
