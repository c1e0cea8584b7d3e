import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import { skipOpenDeliveries } from '../../db/webhooks/endpoints/endpoint-deactivation.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';

/**
 * Makes an endpoint active again, whatever stopped it, and tells the workflow that watches over it. Failures of attempts
 * that began before no longer count. @param endpoint locked by this transaction
 */
export function correctEndpoint(em: EntityManager, endpoint: WebhookEndpointRow, now: Date): Promise<void> {
  return changeHealth(em, endpoint, { status: 'active', correctedAt: now, updatedAt: now });
}

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

/** Ends an episode of failing, if there is one, with the change. @param endpoint locked by this transaction */
async function changeHealth(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  changes: { status: 'active' | 'disabled'; updatedAt: Date; correctedAt?: Date; deletedAt?: Date },
): Promise<void> {
  const wasFailing = endpoint.status === 'failing';
  em.assign(endpoint, { ...changes, failingSince: null, deactivateAt: null });
  await em.flush();
  if (!wasFailing) return;
  const { id: endpointId, tenantId: clinicId } = endpoint;
  await insertOutboxMessages(em, { kind: 'endpointCorrected', endpointId, clinicId });
}
