import { skipOpenDeliveries } from '../../db/webhooks/endpoint-deactivation.ts';
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { insertOutboxMessage } from '../../db/outbox/outbox-rows.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';

/**
 * Stops sending because the clinic wants it so: open deliveries end as skipped, and a failing endpoint is no longer
 * watched. @param endpoint locked by this transaction
 */
export async function switchOffEndpoint(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  changes: { updatedAt: Date; deletedAt?: Date },
): Promise<void> {
  const { tenantId, id } = endpoint;
  const off = { status: 'disabled', failingSince: null, deactivateAt: null } as const;
  await em.nativeUpdate(WebhookEndpointEntity, { tenantId, id }, { ...off, ...changes });
  await skipOpenDeliveries(em, { tenantId, endpointId: id });
  if (endpoint.status !== 'failing') return;
  await insertOutboxMessage(em, { kind: 'endpointCorrected', endpointId: id });
}
