import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { insertOutboxMessage } from '../../db/outbox/outbox-rows.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';

/**
 * Makes an endpoint active again, whatever stopped it, and tells the workflow that watches over it. Failures of attempts
 * that began before no longer count. @param endpoint locked by this transaction
 */
export async function correctEndpoint(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  now: Date,
): Promise<void> {
  const { tenantId, id } = endpoint;
  const healthy = {
    status: 'active',
    failingSince: null,
    deactivateAt: null,
    correctedAt: now,
    updatedAt: now,
  } as const;
  await em.nativeUpdate(WebhookEndpointEntity, { tenantId, id }, healthy);
  if (endpoint.status !== 'failing') return;
  await insertOutboxMessage(em, { kind: 'endpointCorrected', endpointId: id });
}
