import { tables, type EntityManager, type RowOf } from '../../connection/statements.ts';
import { firstRow } from '../../connection/unchecked-statements.ts';
import type { EndpointIds } from '../endpoints/endpoint-deactivation.ts';

/** The last failed attempt at an endpoint. */
export interface LastFailure extends RowOf<'webhook_attempt', 'deliveryId' | 'startedAt' | 'responseStatus'> {
  errorClass: NonNullable<RowOf<'webhook_attempt'>['errorClass']>;
}

/** An old delivery can fail again after newer ones, but rarely after this many. */
const NEWEST = 50;

/** Null when no stored attempt has failed. */
export function findLastFailure(em: EntityManager, { tenantId, endpointId }: EndpointIds) {
  return firstRow<LastFailure>(tables(em))`
    WITH failed AS (
      SELECT id
      FROM webhook_delivery
      WHERE tenant_id = ${tenantId}
        AND endpoint_id = ${endpointId}
        AND last_error_class IS NOT NULL
      ORDER BY id DESC
      LIMIT ${NEWEST}
    )
    SELECT attempt.delivery_id, attempt.started_at, attempt.error_class, attempt.response_status
    FROM failed
    JOIN webhook_attempt attempt ON attempt.delivery_id = failed.id
    WHERE attempt.error_class IS NOT NULL
    ORDER BY attempt.started_at DESC
    LIMIT 1
  `;
}
