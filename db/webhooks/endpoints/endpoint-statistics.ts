import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { TEST_EVENT_TYPE } from '../../../domain/webhooks/event-types.ts';
import type { DeliveryStatus } from '../../../domain/webhooks/delivery-status.ts';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import { onlyRow, tables, type EntityManager } from '../../connection/statements.ts';
import { createdWithin, lowestIdSince } from '../created-within.ts';

export interface CountedDeliveries {
  tenantId: string;
  endpointId: string;
  /** Created then or later. */
  since: Date;
}

/** How an endpoint has fared, test events apart. */
export interface EndpointStatistics {
  /** How many deliveries there are in each status. */
  statuses: Partial<Record<DeliveryStatus, number>>;
  /** When the first of them was created; null when there is none. */
  firstCreatedAtMs: number | null;
  attempts: number;
  /** How many attempts failed so. */
  errors: Partial<Record<ErrorClass, number>>;
  /** So long, in milliseconds, did half of the attempts take at most, and 95 of 100; null when there is none. */
  p50Ms: number | null;
  p95Ms: number | null;
}

/** Counts the newest deliveries, `atMost` of them, with their attempts: what it costs does not hang on how many there are. */
export async function endpointStatistics(
  em: EntityManager,
  wanted: CountedDeliveries,
  atMost: number,
): Promise<EndpointStatistics> {
  const firstId = await firstCountedId(em, wanted, atMost);
  return onlyRow<EndpointStatistics>(em)`
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
      ) AS "statuses",
      (SELECT (extract(epoch FROM min(created_at)) * 1000)::float8 FROM counted) AS "firstCreatedAtMs",
      count(*)::integer AS "attempts",
      (
        SELECT coalesce(json_object_agg(error_class, attempts), '{}')
        FROM (
          SELECT error_class, count(*) AS attempts FROM attempt WHERE error_class IS NOT NULL GROUP BY error_class
        ) AS by_class
      ) AS "errors",
      percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS "p50Ms",
      percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS "p95Ms"
    FROM attempt
  `;
}

/** PostgreSQL is told the id itself, so it knows that few rows follow, and reads no others: test/db/list-plans.test.ts */
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
