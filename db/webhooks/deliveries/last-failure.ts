import { sql } from 'kysely';
import type { ErrorClass } from '../../../domain/webhooks/attempt-error.ts';
import type { EntityManager } from '../../connection/open-database.ts';

/** The attempt at an endpoint that failed last. */
export interface LastFailure {
  deliveryId: string;
  startedAtMs: number;
  errorClass: ErrorClass;
  /** Null when there was no answer. */
  responseStatus: number | null;
}

/** An old delivery can fail once more after newer ones did, but rarely after so many. */
const NEWEST = 50;

/** Null when no attempt has failed, of those that are kept. */
export async function findLastFailure(
  em: EntityManager,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
): Promise<LastFailure | null> {
  const { rows } = await sql<LastFailure>`
    WITH failed AS (
      SELECT id
      FROM webhook_delivery
      WHERE tenant_id = ${tenantId}
        AND endpoint_id = ${endpointId}
        AND last_error_class IS NOT NULL
      ORDER BY id DESC
      LIMIT ${NEWEST}
    )
    SELECT
      failed.id AS "deliveryId",
      (extract(epoch FROM attempt.started_at) * 1000)::float8 AS "startedAtMs",
      attempt.error_class AS "errorClass",
      attempt.response_status AS "responseStatus"
    FROM failed
    JOIN webhook_attempt attempt ON attempt.delivery_id = failed.id
    WHERE attempt.error_class IS NOT NULL
    ORDER BY attempt.started_at DESC
    LIMIT 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
