import { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { PAUSED_ENDPOINTS } from '../webhooks/endpoints/paused-endpoints.ts';
import { A_WHILE_AGO } from '../diagnosis/find-overdue.ts';

/** An endpoint with deliveries that have been open for longer than a first attempt takes. */
const STUCK_ENDPOINT = columnsOf('webhook_endpoint', 'id', 'tenantId', 'url', 'status', 'pausedUntil').extend(
  {
    clinicName: z.string(),
    /** Open deliveries. */
    open: z.number(),
    oldestId: z.string(),
    oldestCreatedAt: z.date(),
  },
);
export type StuckEndpoint = z.infer<typeof STUCK_ENDPOINT>;

/** The number of open deliveries that are checked. */
const MAX_COUNTED = 100_000;

/** The endpoints with the oldest undelivered events, oldest first. */
export function findStuckEndpoints(em: EntityManager, limit: number) {
  return rowsOf(em, STUCK_ENDPOINT)`
    WITH open AS (
      SELECT endpoint_id, id, created_at
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
        AND workflow_id IS NOT NULL
        AND endpoint_id NOT IN ${PAUSED_ENDPOINTS}
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
      endpoint.id, endpoint.tenant_id, tenant.name AS clinic_name, endpoint.url, endpoint.status, endpoint.paused_until,
      stuck.open, stuck.oldest_id, stuck.oldest_created_at
    FROM stuck
    JOIN webhook_endpoint endpoint ON endpoint.id = stuck.endpoint_id
    JOIN tenant ON tenant.id = endpoint.tenant_id
    ORDER BY stuck.oldest_created_at
  `;
}
