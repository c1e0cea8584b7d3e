import { sql } from 'kysely';
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** The clinic's endpoints that are not deleted, oldest first. */
export function listEndpoints(em: EntityManager, tenantId: string): Promise<WebhookEndpointRow[]> {
  return em.find(WebhookEndpointEntity, { tenantId, deletedAt: null }, { orderBy: { id: 'asc' } });
}

/** Null when the clinic has no such endpoint, or has deleted it. */
export function findEndpoint(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<WebhookEndpointRow | null> {
  return em.findOne(WebhookEndpointEntity, { tenantId, id, deletedAt: null }, { refresh: true });
}

/**
 * Like `findEndpoint`, and holds the endpoint against other changes until the transaction ends. New events are not
 * kept waiting. @param tenantId null for an operator, who may act for any clinic
 */
export async function lockEndpoint(
  em: EntityManager,
  tenantId: string | null,
  id: string,
): Promise<WebhookEndpointRow | null> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT *
    FROM webhook_endpoint
    WHERE id = ${id}
      AND (${tenantId}::uuid IS NULL OR tenant_id = ${tenantId}::uuid)
      AND deleted_at IS NULL
    FOR NO KEY UPDATE
  `.execute(em.getKysely());
  return rows[0] ? { ...em.map(WebhookEndpointEntity, rows[0]) } : null;
}

/** Waits until every event that is just being written for the endpoint has been committed or given up; holds nothing. */
export async function waitForEventsUnderWay(em: EntityManager, endpointId: string): Promise<void> {
  // A delivery's foreign key holds its endpoint FOR KEY SHARE; rolling back to the savepoint lets go of the lock again.
  await sql`SAVEPOINT events_under_way`.execute(em.getKysely());
  await sql`SELECT FROM webhook_endpoint WHERE id = ${endpointId} FOR UPDATE`.execute(em.getKysely());
  await sql`ROLLBACK TO SAVEPOINT events_under_way`.execute(em.getKysely());
}
