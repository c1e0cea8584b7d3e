import type { EntityManager } from '../../connection/open-database.ts';
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../entities/webhook-endpoint.entity.ts';

/** These endpoints of the clinic by id, deleted ones too, since what was sent to them is remembered. */
export async function findEndpointsById(
  em: EntityManager,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, WebhookEndpointRow>> {
  if (ids.length === 0) return new Map();
  const found = await em.find(WebhookEndpointEntity, { tenantId, id: { $in: [...ids] } });
  return new Map(found.map((endpoint) => [endpoint.id, endpoint]));
}
