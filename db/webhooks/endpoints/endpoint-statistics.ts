import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { z } from 'zod';
import { TEST_EVENT_TYPE } from '../../../domain/webhooks/event-types.ts';
import { DELIVERY_STATUSES } from '../../../domain/webhooks/delivery-status.ts';
import { ERROR_CLASSES } from '../../../domain/webhooks/attempt-error.ts';
import { onlyRow, rowsOf, tables, type EntityManager } from '../../connection/statements.ts';
import { createdWithin, lowestIdSince } from '../created-within.ts';
import { firstIdAt } from '../../../domain/first-id.ts';

export interface CountedDeliveries {
  tenantId: string;
  endpointId: string;
  /** Created then or later. */
  since: Date;
}

/** The performance of an endpoint, without test events. */
const ENDPOINT_STATISTICS = z.object({
  /** The number of deliveries by status. */
  statuses: z.partialRecord(z.enum(DELIVERY_STATUSES), z.number()),
  /** When the first of them was created; null when there is none. */
  firstCreatedAtMs: z.number().nullable(),
  attempts: z.number(),
  /** Failed attempts by error class. */
  errors: z.partialRecord(z.enum(ERROR_CLASSES), z.number()),
  /** Median and 95th percentile of the attempts' durations in milliseconds; null without attempts. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});
export type EndpointStatistics = z.infer<typeof ENDPOINT_STATISTICS>;

/** Counts at most the `atMost` newest deliveries with their attempts, so that the cost is bounded. */
export async function endpointStatistics(em: EntityManager, wanted: CountedDeliveries, atMost: number) {
  const firstId = await firstCountedId(em, wanted, atMost);
  return onlyRow(em, ENDPOINT_STATISTICS)`
    WITH counted AS MATERIALIZED (
      SELECT id, status, created_at
      FROM webhook_delivery
      WHERE ${isCounted(wanted)}
        AND id >= ${firstId}
    ), attempt AS MATERIALIZED (
      SELECT error_class, duration_ms
      FROM webhook_attempt
      JOIN counted ON counted.id = delivery_id
      WHERE delivery_id >= ${firstId}
    )
    SELECT
      (
        SELECT coalesce(json_object_agg(status, deliveries), '{}')
        FROM (SELECT status, count(*) AS deliveries FROM counted GROUP BY status) AS by_status
      ) AS statuses,
      (SELECT (extract(epoch FROM min(created_at)) * 1000)::float8 FROM counted) AS first_created_at_ms,
      count(*)::integer AS attempts,
      (
        SELECT coalesce(json_object_agg(error_class, attempts), '{}')
        FROM (
          SELECT error_class, count(*) AS attempts FROM attempt WHERE error_class IS NOT NULL GROUP BY error_class
        ) AS by_class
      ) AS errors,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS p50_ms,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95_ms
    FROM attempt
  `;
}

/**
 * The ID of the first delivery to count. With this ID as a parameter, PostgreSQL reads only the rows after it:
 * test/db/plans/list-plans.test.ts
 */
async function firstCountedId(em: EntityManager, wanted: CountedDeliveries, atMost: number): Promise<string> {
  const newest = tables(em).selectFrom('webhook_delivery').where(isCounted(wanted)).orderBy('id', 'desc');
  const first = await newest
    .offset(atMost - 1)
    .limit(1)
    .select('id')
    .executeTakeFirst();
  return first?.id ?? lowestIdSince(wanted.since);
}

function isCounted({ tenantId, endpointId, since }: CountedDeliveries): RawBuilder<SqlBool> {
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    sql`endpoint_id = ${endpointId}`,
    sql`event_type <> ${TEST_EVENT_TYPE}`,
    ...createdWithin({ since }),
  ];
  return sql.join(conditions, sql` AND `);
}

export interface CoursePeriod {
  tenantId: string;
  endpointId: string;
  since: Date;
  /** The number of periods of this length. */
  stretches: number;
  stretchMs: number;
}

/** The performance of an endpoint in a period, without test events. */
const ENDPOINT_STRETCH = z.object({
  /** 0 is the first period; null: all together. */
  stretch: z.number().nullable(),
  deliveries: z.number(),
  attempts: z.number(),
  /** Failed attempts. */
  failures: z.number(),
  /** Median and 95th percentile of the attempts' durations in milliseconds; null without attempts. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});
export type EndpointStretch = z.infer<typeof ENDPOINT_STRETCH>;

/**
 * Counts at most the `atMost` newest deliveries of each period with their attempts, so that the cost is bounded.
 * Periods without deliveries are missing.
 */
export async function endpointCourse(
  em: EntityManager,
  { tenantId, endpointId, since, stretches, stretchMs }: CoursePeriod,
  atMost: number,
): Promise<EndpointStretch[]> {
  const bounds = Array.from({ length: stretches + 1 }, (_, nr) => firstIdAt(since, nr * stretchMs));
  return rowsOf(em, ENDPOINT_STRETCH)`
    WITH counted AS MATERIALIZED (
      SELECT (bound.nr - 1)::integer AS stretch, newest.id
      FROM unnest(${bounds.slice(0, -1)}::uuid[], ${bounds.slice(1)}::uuid[])
        WITH ORDINALITY AS bound (low, high, nr)
      CROSS JOIN LATERAL (
        SELECT id
        FROM webhook_delivery
        WHERE tenant_id = ${tenantId}
          AND endpoint_id = ${endpointId}
          AND event_type <> ${TEST_EVENT_TYPE}
          AND id >= bound.low
          AND id < bound.high
        ORDER BY id DESC
        LIMIT ${atMost}
      ) AS newest
    )
    SELECT
      counted.stretch,
      count(DISTINCT counted.id)::integer AS deliveries,
      count(attempt.number)::integer AS attempts,
      count(attempt.error_class)::integer AS failures,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY attempt.duration_ms) AS p50_ms,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY attempt.duration_ms) AS p95_ms
    FROM counted
    LEFT JOIN webhook_attempt attempt ON attempt.delivery_id = counted.id
    GROUP BY GROUPING SETS ((counted.stretch), ())
    ORDER BY counted.stretch
  `;
}
