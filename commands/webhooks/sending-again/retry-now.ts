import { hastenDelivery, hastenRetries } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import { askForDeliveries, insertOutboxMessages } from '../../../db/outbox/insert-messages.ts';
import { findDeliveryProgress } from '../../../db/webhooks/deliveries/delivery-progress.ts';
import { hastenOutboxMessage } from '../../../db/outbox/settle-messages.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { notFound, ServiceError } from '../../../domain/service-error.ts';
import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import { recordAudit, type CommandContext } from '../../command-context.ts';
import { requireReceivingEndpoint, type EndpointOfClinic } from '../require-endpoint.ts';

/**
 * Brings the next numbered attempt of a delivery forward to now; it adds none.
 * Errors: `not_found`, `delivery_final`.
 */
export async function retryDeliveryNow(
  em: EntityManager,
  { tenantId, deliveryId }: { tenantId: string; deliveryId: string },
): Promise<void> {
  const hastened = await hastenDelivery(em, tenantId, deliveryId);
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
  return new ServiceError(
    'delivery_final',
    `The delivery has ended (${progress.status}). Resend it instead.`,
  );
}

/** One transaction's share; anyone who asks again goes on with the next ones. */
export const MAX_RETRIED_AT_ONCE = 10_000;

/**
 * Brings the next numbered attempt of what waits for an endpoint forward to now, the oldest deliveries first, for a receiver
 * that has recovered. It adds no attempt, and the endpoint's share of attempts under way still holds.
 * Errors: `not_found`, `endpoint_deactivated`, `clinic_inactive`.
 */
export async function retryEndpointNow(em: EntityManager, wanted: EndpointOfClinic, context: CommandContext) {
  const { id, tenantId } = await requireReceivingEndpoint(em, wanted);
  const hastened = await hastenRetries(em, id, MAX_RETRIED_AT_ONCE);
  await insertOutboxMessages(
    em,
    ...hastened.map(({ workflowId, status: _status, ...delivery }): OutboxMessage => ({
      kind: 'retryDelivery',
      workflowId,
      delivery,
    })),
  );
  const details = { deliveries: hastened.length };
  if (hastened.length === 0) return details;
  await recordAudit(em, { action: 'endpoint.retried', tenantId, subjectId: id, details }, context);
  return details;
}
