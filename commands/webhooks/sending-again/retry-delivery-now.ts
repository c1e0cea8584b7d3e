import { hastenDelivery } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import { askForDeliveries } from '../../../db/outbox/ask-for-deliveries.ts';
import { findDeliveryProgress } from '../../../db/webhooks/deliveries/delivery-progress.ts';
import { hastenOutboxMessage } from '../../../db/outbox/settle-messages.ts';
import { insertOutboxMessages } from '../../../db/outbox/insert-messages.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { notFound, ServiceError } from '../../../domain/service-error.ts';

/**
 * Brings the next numbered attempt of a delivery forward to now; it adds none.
 * Errors: `not_found`, `delivery_final`.
 */
export async function retryDeliveryNow(
  em: EntityManager,
  { tenantId, deliveryId }: { tenantId: string; deliveryId: string },
  now: Date,
): Promise<void> {
  const hastened = await hastenDelivery(em, tenantId, deliveryId, now);
  if (!hastened) throw await refusal(em, tenantId, deliveryId);
  const { status, workflowId, ...delivery } = hastened;
  if (status === 'retrying') await insertOutboxMessages(em, { kind: 'retryDelivery', workflowId, delivery });
  else await askForFirstAttempt(em, deliveryId);
}

/** The worker makes a first attempt as soon as it can, unless its row is resting or was lost. */
async function askForFirstAttempt(em: EntityManager, deliveryId: string): Promise<void> {
  await hastenOutboxMessage(em, deliveryId);
  await askForDeliveries(em, [deliveryId]);
}

async function refusal(em: EntityManager, tenantId: string, deliveryId: string): Promise<ServiceError> {
  const progress = await findDeliveryProgress(em, tenantId, deliveryId);
  if (!progress) return notFound('delivery', deliveryId);
  return new ServiceError('delivery_final', `The delivery has ${progress.status}; resend it instead.`);
}
