import { changedRows, rowsOf, run, type EntityManager } from '../connection/statements.ts';

/** Where a patient books from. */
export interface SelfBooker {
  /** As `clientAddress` names it. */
  address: string;
  /** A random id that the browser keeps. */
  browser: string;
}

export interface SelfBooking {
  /** Since it was booked. */
  ageMs: number;
  isOfAddress: boolean;
  /** Of the same phone, and from the same address or browser. */
  isOfPhone: boolean;
}

interface Question extends SelfBooker {
  tenantId: string;
  /** As it may stand in rows. */
  patientPhoneHashes: readonly string[];
}

/** Bounds what is read: a clinic's patients book 300 times a day, and what they moved and then cancelled is read too. */
const MAX_SELF_BOOKINGS = 2000;
/** Moves of one visit that are followed; a visit that was moved more often counts as not cancelled. */
const MAX_MOVES = 50;

/**
 * What the clinic's patients have booked by themselves in the last day and not cancelled since, the newest first. A visit that was moved
 * is there once, as old as its first booking. Others who ask about the clinic wait until this transaction ends, so that together they
 * cannot book more than each may.
 */
export async function findSelfBookings(em: EntityManager, question: Question): Promise<SelfBooking[]> {
  const { tenantId, patientPhoneHashes, address, browser } = question;
  await run(em)`
    SELECT pg_advisory_xact_lock(hashtextextended(${`self-service ${tenantId}`}, 0))
  `;
  return rowsOf<SelfBooking>(em)`
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
      (extract(epoch FROM clock_timestamp() - visit.created_at) * 1000)::float8 AS "ageMs",
      coalesce(booking.address = ${address}, false) AS "isOfAddress",
      coalesce(booking.address = ${address} OR booking.browser = ${browser}::uuid, false)
        AND patient_phone_hash = ANY(${[...patientPhoneHashes]}::text[]) AS "isOfPhone"
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

/** Forgets where patients booked from more than a day ago, of some bookings, and returns of how many. */
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
