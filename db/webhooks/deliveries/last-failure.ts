import { z } from 'zod';
import { ERROR_CLASSES } from '../../../domain/webhooks/attempt-error.ts';
import { columnsOf } from '../../connection/columns.ts';
import { firstRow, type EntityManager } from '../../connection/statements.ts';
import type { EndpointIds } from '../endpoints/endpoint-deactivation.ts';

/** The last failed attempt at an endpoint. */
const LAST_FAILURE = columnsOf(
  'webhook_attempt',
  'deliveryId',
  'startedAt',
  'responseStatus',
  'tlsFault',
).extend({
  errorClass: z.enum(ERROR_CLASSES),
});
export type LastFailure = z.infer<typeof LAST_FAILURE>;

/** How many of the newest deliveries are checked. An older delivery can fail later than these, but rarely does. */
const NEWEST = 50;

/** Null when no stored attempt has failed. */
export function findLastFailure(em: EntityManager, { tenantId, endpointId }: EndpointIds) {
  return firstRow(em, LAST_FAILURE)`
    WITH failed AS (
      SELECT id
      FROM webhook_delivery
      WHERE tenant_id = ${tenantId}
        AND endpoint_id = ${endpointId}
        AND last_error_class IS NOT NULL
      ORDER BY id DESC
      LIMIT ${NEWEST}
    )
    SELECT attempt.delivery_id, attempt.started_at, attempt.error_class, attempt.tls_fault, attempt.response_status
    FROM failed
    JOIN webhook_attempt attempt ON attempt.delivery_id = failed.id
    WHERE attempt.error_class IS NOT NULL
    ORDER BY attempt.started_at DESC
    LIMIT 1
  `;
}
