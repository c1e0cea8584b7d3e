import { firstIdAt } from '../../../domain/first-id.ts';
import { TEST_EVENT_TYPE } from '../../../domain/webhooks/event-types.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';

export interface CoursePeriod {
  tenantId: string;
  endpointId: string;
  since: Date;
  /** How many stretches of this length follow from then on. */
  stretches: number;
  stretchMs: number;
}

/** How an endpoint fared in a stretch of time, test events apart. */
export interface EndpointStretch {
  /** 0 is the first stretch; null: the whole period. */
  stretch: number | null;
  deliveries: number;
  attempts: number;
  /** Of the attempts those that failed. */
  failures: number;
  /** So long, in milliseconds, did half of the attempts take at most, and 95 of 100; null when there is none. */
  p50Ms: number | null;
  p95Ms: number | null;
}

/**
 * Counts the newest deliveries of each stretch, `atMost` of them, with their attempts: a busy hour says no more than a quiet
 * one, and what it costs does not hang on how many there are. Stretches without a delivery are missing.
 */
export async function endpointCourse(
  em: EntityManager,
  { tenantId, endpointId, since, stretches, stretchMs }: CoursePeriod,
  atMost: number,
): Promise<EndpointStretch[]> {
  const bounds = Array.from({ length: stretches + 1 }, (_, nr) => firstIdAt(since, nr * stretchMs));
  return rowsOf<EndpointStretch>(em)`
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
      percentile_disc(0.5) WITHIN GROUP (ORDER BY attempt.duration_ms) AS "p50Ms",
      percentile_disc(0.95) WITHIN GROUP (ORDER BY attempt.duration_ms) AS "p95Ms"
    FROM counted
    LEFT JOIN webhook_attempt attempt ON attempt.delivery_id = counted.id
    GROUP BY GROUPING SETS ((counted.stretch), ())
    ORDER BY counted.stretch
  `;
}
