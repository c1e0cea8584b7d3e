import { tables, type EntityManager, type RowOf } from '../connection/statements.ts';
import { rowsOf } from '../connection/unchecked-statements.ts';
import { A_WHILE_AGO } from '../diagnosis/find-overdue.ts';

/** An endpoint with deliveries that have been open longer than a first attempt takes. */
export interface StuckEndpoint extends RowOf<'webhook_endpoint', 'id' | 'tenantId' | 'url' | 'status'> {
  clinicName: string;
  /** Open deliveries. */
  open: number;
  oldestId: string;
  oldestCreatedAt: Date;
  /** From its last attempt; null before the first. */
  errorClass: RowOf<'webhook_attempt'>['errorClass'];
}

/** The number of open deliveries that are checked. */
const MAX_COUNTED = 100_000;

/** The endpoints with the oldest undelivered events, oldest first. */
export function findStuckEndpoints(em: EntityManager, limit: number) {
  return rowsOf<StuckEndpoint>(tables(em))`
    WITH open AS (
      SELECT endpoint_id, id, created_at
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
      ORDER BY endpoint_id, id
      LIMIT ${MAX_COUNTED}
    ), stuck AS (
      SELECT
        endpoint_id, count(*)::integer AS open, min(created_at) AS oldest_created_at,
        (array_agg(id ORDER BY created_at, id))[1] AS oldest_id
      FROM open
      GROUP BY endpoint_id
      HAVING min(created_at) < ${A_WHILE_AGO}
      ORDER BY min(created_at)
      LIMIT ${limit}
    )
    SELECT
      endpoint.id, endpoint.tenant_id, tenant.name AS clinic_name, endpoint.url, endpoint.status,
      stuck.open, stuck.oldest_id, stuck.oldest_created_at, attempt.error_class
    FROM stuck
    JOIN webhook_endpoint endpoint ON endpoint.id = stuck.endpoint_id
    JOIN tenant ON tenant.id = endpoint.tenant_id
    LEFT JOIN LATERAL (
      SELECT error_class
      FROM webhook_attempt
      WHERE delivery_id = stuck.oldest_id
      ORDER BY number DESC
      LIMIT 1
    ) attempt ON true
    ORDER BY stuck.oldest_created_at
  `;
}
