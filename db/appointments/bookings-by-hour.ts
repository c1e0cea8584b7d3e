import { sql } from 'kysely';
import type { EntityManager } from '../connection/open-database.ts';
import { createdWithin } from '../webhooks/created-within.ts';

/** How many were booked in an hour, moves of earlier bookings apart. */
export interface BookingsOfHour {
  /** 0 is the first hour. */
  hour: number;
  bookings: number;
}

export interface CountedHours {
  tenantId: string;
  /** When the first hour begins. */
  since: Date;
}

/** Hours without a booking are missing. Counts the newest, `atMost` of them: what it costs does not hang on how many there are. */
export async function countBookingsByHour(
  em: EntityManager,
  { tenantId, since }: CountedHours,
  atMost: number,
): Promise<BookingsOfHour[]> {
  const { rows } = await sql<BookingsOfHour>`
    SELECT floor(extract(epoch FROM created_at - ${since}) / 3600)::integer AS hour, count(*)::integer AS bookings
    FROM (
      SELECT created_at
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND rescheduled_from_id IS NULL
        AND ${sql.join(createdWithin({ since }), sql` AND `)}
      ORDER BY id DESC
      LIMIT ${atMost}
    ) AS newest
    GROUP BY 1
  `.execute(em.getKysely());
  return rows;
}
