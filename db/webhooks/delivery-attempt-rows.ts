import { sql } from 'kysely';
import type { DeliveryStatus, ErrorClass } from '../../domain/webhooks/delivery-status.ts';
import type { HealthVerdict } from '../../domain/webhooks/endpoint-health.ts';
import type { DeliveryProgress } from './delivery-progress.ts';
import { endpointHold, healthParts } from './endpoint-health-rows.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface NewAttempt {
  tenantId: string;
  deliveryId: string;
  /** 1 for the first attempt. */
  number: number;
  startedAt: Date;
  durationMs: number;
  outcome: 'succeeded' | 'failed';
  errorClass: ErrorClass | null;
  responseStatus: number | null;
  responseExcerpt: string | null;
  /** When the next attempt is due should this one have failed; null when it was the last. */
  nextAttemptAt: Date | null;
  /** What the attempt says about its endpoint. */
  health: HealthVerdict | null;
}

export interface RecordedAttempt extends DeliveryProgress {
  /** First attempts of the same clinic are in the outbox, and may have waited for this one to end. */
  othersWait: boolean;
}

interface Row {
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAtMs: number | null;
  othersWait: boolean;
}

/**
 * Writes an attempt and what it means for its delivery and endpoint in one statement. A success counts even for a
 * delivery that was skipped meanwhile; a failure does not reopen it. Null, and nothing changes, when the attempt is there
 * already. Rows are locked as switching an endpoint off locks them: the endpoint, then the delivery.
 */
export async function insertDeliveryAttempt(
  em: EntityManager,
  attempt: NewAttempt,
): Promise<RecordedAttempt | null> {
  const { number, outcome, nextAttemptAt, health, deliveryId } = attempt;
  const name = health ? `record-attempt-${health.kind}` : 'record-attempt';
  const verdict = outcome === 'succeeded' ? 'succeeded' : nextAttemptAt ? 'retrying' : 'failed';
  const { rows } = await sql<Row>`
    ${sql.raw(`/* prepared: ${name} */`)}
    WITH ${endpointHold(health, deliveryId)},
    attempt AS (${attemptInsertion(attempt)}),
    released AS (
      DELETE FROM first_attempt WHERE delivery_id = ${deliveryId}
    ),
    recorded AS (
      UPDATE webhook_delivery delivery
      SET attempt_count = greatest(delivery.attempt_count, ${number}::integer),
          status = CASE
            WHEN delivery.status IN ('pending', 'retrying') OR ${verdict} = 'succeeded' THEN ${verdict}
            ELSE delivery.status
          END,
          next_attempt_at = CASE
            WHEN delivery.status IN ('pending', 'retrying') AND ${verdict} = 'retrying'
            THEN ${nextAttemptAt}::timestamptz
          END,
          updated_at = clock_timestamp()
      FROM attempt
      WHERE delivery.id = attempt.delivery_id
      RETURNING delivery.*
    )
    ${healthParts(health)}
    SELECT
      status,
      attempt_count AS "attemptCount",
      (extract(epoch FROM next_attempt_at) * 1000)::float8 AS "nextAttemptAtMs",
      EXISTS (
        SELECT FROM outbox waiting WHERE waiting.clinic_id = recorded.tenant_id AND waiting.endpoint_id IS NOT NULL
      ) AS "othersWait"
    FROM recorded
  `.execute(em.getKysely());
  return rows[0] ? progressAfter(rows[0], attempt) : null;
}

function attemptInsertion(attempt: NewAttempt) {
  return sql`
    INSERT INTO webhook_attempt
      (delivery_id, number, started_at, duration_ms, outcome, error_class, response_status, response_excerpt)
    SELECT
      delivery.id, ${attempt.number}::integer, ${attempt.startedAt}::timestamptz, ${attempt.durationMs}::integer,
      ${attempt.outcome}, ${attempt.errorClass}, ${attempt.responseStatus}::integer, ${attempt.responseExcerpt}
    FROM webhook_delivery delivery
    WHERE delivery.tenant_id = ${attempt.tenantId}
      AND delivery.id = ${attempt.deliveryId}
      AND (SELECT count(*) FROM held_endpoint) >= 0
    ON CONFLICT (delivery_id, number) DO NOTHING
    RETURNING delivery_id
  `;
}

function progressAfter(
  { status, attemptCount, nextAttemptAtMs, othersWait }: Row,
  { errorClass, responseStatus }: NewAttempt,
): RecordedAttempt {
  const nextAttemptAt = nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs);
  return { status, attemptCount, nextAttemptAt, errorClass, responseStatus, othersWait };
}

/** Ends an open delivery without another attempt, because its endpoint is off. */
export async function skipDelivery(em: EntityManager, tenantId: string, deliveryId: string): Promise<void> {
  await sql`
    UPDATE webhook_delivery
    SET status = 'skipped', next_attempt_at = NULL, updated_at = clock_timestamp()
    WHERE tenant_id = ${tenantId}
      AND id = ${deliveryId}
      AND status IN ('pending', 'retrying')
  `.execute(em.getKysely());
}

/** Makes an open delivery due now and returns the id of its workflow, which has to hear of it; null when not open. */
export async function hastenDelivery(
  em: EntityManager,
  tenantId: string,
  deliveryId: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ workflow_id: string }>`
    UPDATE webhook_delivery
    SET next_attempt_at = least(next_attempt_at, ${now}::timestamptz), updated_at = clock_timestamp()
    WHERE tenant_id = ${tenantId}
      AND id = ${deliveryId}
      AND status IN ('pending', 'retrying')
    RETURNING workflow_id
  `.execute(em.getKysely());
  return rows[0]?.workflow_id ?? null;
}
