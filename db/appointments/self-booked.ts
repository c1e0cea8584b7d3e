import { z } from 'zod';
import { changedRows, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** The address and browser that a patient books from. */
export interface SelfBooker {
  /** As returned by `clientAddress`. */
  address: string;
  /** A random id stored in the browser. */
  browser: string;
}

const SELF_BOOKING = z.object({
  /** Time since it was booked. */
  ageMs: z.number(),
  isOfAddress: z.boolean(),
  /** Whether it was booked with the same phone, and from the same address or browser. */
  isOfPhone: z.boolean(),
});
export type SelfBooking = z.infer<typeof SELF_BOOKING>;

interface Question extends SelfBooker {
  tenantId: string;
  /** All hashes under which the phone may be stored. */
  patientPhoneHashes: readonly string[];
}

/**
 * The most rows read. Patients of a clinic book at most 300 times a day, but bookings that were moved or cancelled are
 * read too.
 */
const MAX_SELF_BOOKINGS = 2000;
/** The number of moves that are followed; an appointment moved more often counts as not cancelled. */
const MAX_MOVES = 50;

/**
 * Online bookings of the clinic's patients in the last day that were not cancelled, newest first. A moved appointment
 * is listed once, with the age of its first booking. Concurrent calls for the same clinic wait until this transaction
 * ends, so that the limits are exact.
 */
export async function findSelfBookings(em: EntityManager, question: Question): Promise<SelfBooking[]> {
  const { tenantId, patientPhoneHashes, address, browser } = question;
  await run(em)`
    SELECT pg_advisory_xact_lock(hashtextextended(${`self-service ${tenantId}`}, 0))
  `;
  return rowsOf(em, SELF_BOOKING)`
    WITH RECURSIVE visit AS (
      (
        SELECT id AS booked_id, created_at, patient_phone_hash, status, rescheduled_to_id, 0 AS moves
        FROM appointment
        WHERE tenant_id = ${tenantId}
          AND source = 'self_service'
          AND rescheduled_from_id IS NULL
          AND status <> 'cancelled'
          AND created_at > now() - interval '1 day'
        ORDER BY created_at DESC
        LIMIT ${MAX_SELF_BOOKINGS}
      )
      UNION ALL
      SELECT visit.booked_id, visit.created_at, next.patient_phone_hash, next.status, next.rescheduled_to_id, visit.moves + 1
      FROM visit
      JOIN appointment next ON next.tenant_id = ${tenantId} AND next.id = visit.rescheduled_to_id
      WHERE visit.status = 'rescheduled'
        AND visit.moves < ${MAX_MOVES}
    )
    SELECT
      (extract(epoch FROM clock_timestamp() - visit.created_at) * 1000)::float8 AS age_ms,
      coalesce(booking.address = ${address}, false) AS is_of_address,
      coalesce(booking.address = ${address} OR booking.browser = ${browser}::uuid, false)
        AND patient_phone_hash = ANY(${[...patientPhoneHashes]}::text[]) AS is_of_phone
    FROM visit
    LEFT JOIN self_booking booking ON booking.tenant_id = ${tenantId} AND booking.appointment_id = visit.booked_id
    WHERE status <> 'cancelled'
      AND (status <> 'rescheduled' OR moves = ${MAX_MOVES})
    ORDER BY visit.created_at DESC
  `;
}

export function insertSelfBooking(
  em: EntityManager,
  { tenantId, id, address, browser }: SelfBooker & { tenantId: string; id: string },
) {
  return run(em)`
    INSERT INTO self_booking (tenant_id, appointment_id, address, browser)
    VALUES (${tenantId}, ${id}, ${address}, ${browser})
  `;
}

/** Deletes some records of where patients booked more than a day ago; returns how many. */
export function purgeSelfBookings(em: EntityManager, atMost: number): Promise<number> {
  return changedRows(em)`
    DELETE FROM self_booking
    WHERE appointment_id IN (
      SELECT appointment_id
      FROM self_booking
      WHERE created_at < clock_timestamp() - interval '1 day'
      ORDER BY created_at
      LIMIT ${atMost}
      FOR UPDATE SKIP LOCKED
    )
  `;
}
