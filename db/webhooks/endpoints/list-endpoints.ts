import { z } from 'zod';
import {
  WebhookEndpointEntity,
  type WebhookEndpointRow,
} from '../../entities/webhooks/webhook-endpoint.entity.ts';
import { columnsOf } from '../../connection/columns.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';

/** The clinic's endpoints that are not deleted, oldest first. */
export function listEndpoints(em: EntityManager, tenantId: string): Promise<WebhookEndpointRow[]> {
  return em.find(WebhookEndpointEntity, { tenantId, deletedAt: null }, { orderBy: { id: 'asc' } });
}

/** The endpoints of several clinics that are not deleted, oldest first. */
export function listEndpointsOf(
  em: EntityManager,
  tenantIds: readonly string[],
): Promise<WebhookEndpointRow[]> {
  if (tenantIds.length === 0) return Promise.resolve([]);
  const wanted = { tenantId: { $in: [...tenantIds] }, deletedAt: null };
  return em.find(WebhookEndpointEntity, wanted, { orderBy: { id: 'asc' } });
}

/** Null when the clinic has no such endpoint or has deleted it. */
export function findEndpoint(em: EntityManager, tenantId: string, id: string) {
  return em.findOne(WebhookEndpointEntity, { tenantId, id, deletedAt: null });
}

/** These endpoints of the clinic by id, including deleted ones, whose deliveries are still shown. */
export async function findEndpointsById(
  em: EntityManager,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, WebhookEndpointRow>> {
  if (ids.length === 0) return new Map();
  const found = await em.find(WebhookEndpointEntity, { tenantId, id: { $in: [...ids] } });
  return new Map(found.map((endpoint) => [endpoint.id, endpoint]));
}

const NOT_ACTIVE = columnsOf('webhook_endpoint', 'status').extend({
  count: z.number(),
  /** The three changed last. */
  latestIds: z.array(z.string()),
});

/** The endpoints that are not active, by status. */
export function findEndpointsNotActive(em: EntityManager) {
  return rowsOf(em, NOT_ACTIVE)`
    SELECT status, count(*)::integer, (array_agg(id ORDER BY updated_at DESC))[1:3] AS latest_ids
    FROM webhook_endpoint
    WHERE status <> 'active'
      AND deleted_at IS NULL
    GROUP BY status
    ORDER BY status
  `;
}

const WAITING = z.object({ id: z.string(), waiting: z.number() });

/** For each of the clinic's endpoints, the number of deliveries that wait for a retry, counted up to `atMost`. */
export async function countWaitingForRetry(em: EntityManager, tenantId: string, atMost: number) {
  const rows = await rowsOf(em, WAITING)`
    SELECT endpoint.id, retrying.waiting
    FROM webhook_endpoint endpoint
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS waiting
      FROM (
        SELECT FROM webhook_delivery
        WHERE endpoint_id = endpoint.id
          AND status = 'retrying'
          -- As the index of those that are not over has it.
          AND status IN ('pending', 'retrying')
        LIMIT ${atMost}
      ) AS counted
    ) AS retrying
    WHERE endpoint.tenant_id = ${tenantId}
      AND endpoint.deleted_at IS NULL
      AND retrying.waiting > 0
  `;
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}
