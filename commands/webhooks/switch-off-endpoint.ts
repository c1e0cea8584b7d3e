import { skipOpenDeliveries } from '../../db/webhooks/endpoints/endpoint-deactivation.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { changeHealth } from './correct-endpoint.ts';

/**
 * Stops sending because the clinic wants it so: open deliveries end as skipped, and a failing endpoint is no longer
 * watched. @param endpoint locked by this transaction
 */
export async function switchOffEndpoint(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  changes: { updatedAt: Date; deletedAt?: Date },
): Promise<void> {
  await skipOpenDeliveries(em, { tenantId: endpoint.tenantId, endpointId: endpoint.id });
  await changeHealth(em, endpoint, { ...changes, status: 'disabled' });
}
