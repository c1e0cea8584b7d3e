import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../connection/open-database.ts';

/** The clinic's endpoints that are not deleted, oldest first. */
export function listEndpoints(em: EntityManager, tenantId: string): Promise<WebhookEndpointRow[]> {
  return em.find(WebhookEndpointEntity, { tenantId, deletedAt: null }, { orderBy: { id: 'asc' } });
}

/** Null when the clinic has no such endpoint, or has deleted it. */
export function findEndpoint(em: EntityManager, tenantId: string, id: string) {
  return em.findOne(WebhookEndpointEntity, { tenantId, id, deletedAt: null });
}
