import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { TEST_EVENT_TYPE } from '../../domain/webhooks/event-types.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { lowestIdSince, createdWithin } from '../webhooks/created-within.ts';

/** Bookings in an hour, without reschedules. */
const BOOKINGS_OF_HOUR = z.object({
  /** 0 is the first hour. */
  hour: z.number(),
  bookings: z.number(),
});
export type BookingsOfHour = z.infer<typeof BOOKINGS_OF_HOUR>;

export interface CountedHours {
  tenantId: string;
  /** The start of the first hour. */
  since: Date;
}

/**
 * Bookings by hour; hours without bookings are missing. Reads at most the `atMost` newest appointments, so that the
 * cost is bounded. Filters by ID only, because PostgreSQL does not know that `created_at` has the same order.
 */
export function countBookingsByHour(em: EntityManager, { tenantId, since }: CountedHours, atMost: number) {
  return rowsOf(em, BOOKINGS_OF_HOUR)`
    SELECT ${hourSince(since)} AS hour, count(*)::integer AS bookings
    FROM (
      SELECT created_at, rescheduled_from_id
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND id >= ${lowestIdSince(since)}
      ORDER BY id DESC
      LIMIT ${atMost}
    ) AS newest
    WHERE created_at >= ${since}
      AND rescheduled_from_id IS NULL
    GROUP BY date_bin('1 hour', created_at, ${since})
  `;
}

/** The hour in which a `date_bin` group of rows was created. */
export function hourSince(since: Date): RawBuilder<number> {
  return sql`(extract(epoch FROM date_bin('1 hour', min(created_at), ${since}) - ${since}) / 3600)::integer`;
}

const DELIVERIES_OF_HOUR = z.object({
  /** 0 is the first hour. */
  hour: z.number(),
  deliveries: z.number(),
  /** Deliveries with a failed attempt. */
  failures: z.number(),
  /** Deliveries that failed or were skipped. */
  lost: z.number(),
});
export type DeliveriesOfHour = z.infer<typeof DELIVERIES_OF_HOUR>;

/**
 * Deliveries by hour, without test events; hours without deliveries are missing. Counts at most the `atMost` newest
 * deliveries.
 */
export function countDeliveriesByHour(em: EntityManager, { tenantId, since }: CountedHours, atMost: number) {
  return rowsOf(em, DELIVERIES_OF_HOUR)`
    SELECT
      ${hourSince(since)} AS hour,
      count(*)::integer AS deliveries,
      count(last_error_class)::integer AS failures,
      (count(last_error_class) FILTER (WHERE status IN ('failed', 'skipped')))::integer AS lost
    FROM (
      SELECT created_at, last_error_class, status
      FROM webhook_delivery
      WHERE tenant_id = ${tenantId}
        AND event_type <> ${TEST_EVENT_TYPE}
        AND ${sql.join(createdWithin({ since }), sql` AND `)}
      ORDER BY id DESC
      LIMIT ${atMost}
    ) AS newest
    GROUP BY date_bin('1 hour', created_at, ${since})
  `;
}
