import { sql } from 'kysely';
import { TEST_EVENT_TYPE } from '../../../domain/webhooks/event-types.ts';
import { hourSince, type CountedHours } from '../../appointments/bookings-by-hour.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import { createdWithin } from '../created-within.ts';

export interface DeliveriesOfHour {
  /** 0 is the first hour. */
  hour: number;
  deliveries: number;
  /** Of them those with an attempt that failed. */
  failures: number;
  /** Of these those that nobody tries any more and that did not arrive. */
  lost: number;
}

/** Hours without a delivery are missing; test events do not count. Counts the newest, `atMost` of them. */
export function countDeliveriesByHour(em: EntityManager, { tenantId, since }: CountedHours, atMost: number) {
  return rowsOf<DeliveriesOfHour>(em)`
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
