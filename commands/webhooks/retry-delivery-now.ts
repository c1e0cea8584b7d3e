import { hastenDelivery } from '../../db/webhooks/delivery-attempt-rows.ts';
import { findDeliveryProgress } from '../../db/webhooks/delivery-progress.ts';
import { insertOutboxMessage } from '../../db/outbox/outbox-rows.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ServiceError } from '../../domain/service-error.ts';

/**
 * Brings the next numbered attempt of a delivery forward to now; it adds none.
 * Errors: `not_found`, `delivery_final`.
 */
export async function retryDeliveryNow(
  em: EntityManager,
  { tenantId, deliveryId }: { tenantId: string; deliveryId: string },
  now: Date,
): Promise<void> {
  const workflowId = await hastenDelivery(em, tenantId, deliveryId, now);
  if (workflowId === null) throw await refusal(em, tenantId, deliveryId);
  await insertOutboxMessage(em, { kind: 'retryDelivery', workflowId });
}

async function refusal(em: EntityManager, tenantId: string, deliveryId: string): Promise<ServiceError> {
  const progress = await findDeliveryProgress(em, tenantId, deliveryId);
  if (!progress) return new ServiceError('not_found', 'The clinic has no delivery with this id.');
  return new ServiceError('delivery_final', `The delivery has ${progress.status}; resend it instead.`, {
    extras: { status: progress.status },
  });
}
