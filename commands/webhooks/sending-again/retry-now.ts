import { hastenDelivery, hastenRetries } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import { askForDeliveries, insertOutboxMessages } from '../../../db/outbox/insert-messages.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { hastenOutboxMessage } from '../../../db/outbox/settle-messages.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { deliveryMode } from '../../../domain/webhooks/delivery-mode.ts';
import { isFinal } from '../../../domain/webhooks/delivery-status.ts';
import { notFound, ServiceError } from '../../../domain/service-error.ts';
import type { OutboxMessage } from '../../../domain/outbox-message.ts';
import { recordAudit, type CommandContext } from '../../command-context.ts';
import {
  refusePaused,
  requireEndpoint,
  requireReceiving,
  type EndpointOfClinic,
} from '../require-endpoint.ts';

/**
 * Makes the next attempt of a delivery now; it adds none. Returns how many: 0 for one that waits in a queue. Errors:
 * `not_found`, `delivery_final`, `endpoint_paused`.
 */
export async function retryDeliveryNow(
  em: EntityManager,
  { tenantId, deliveryId }: { tenantId: string; deliveryId: string },
): Promise<number> {
  const hastened = await hastenDelivery(em, tenantId, deliveryId);
  if (!hastened) return refuseUnlessPulled(em, tenantId, deliveryId);
  const { status, workflowId, ...delivery } = hastened;
  if (status === 'retrying') await insertOutboxMessages(em, { kind: 'retryDelivery', workflowId, delivery });
  else await askForFirstAttempt(em, deliveryId);
  return 1;
}

/** Makes sure that the outbox has a row for the first attempt that is due now. */
async function askForFirstAttempt(em: EntityManager, deliveryId: string): Promise<void> {
  await hastenOutboxMessage(em, deliveryId);
  await askForDeliveries(em, [deliveryId]);
}

async function refuseUnlessPulled(em: EntityManager, tenantId: string, id: string): Promise<0> {
  const delivery = await em.findOne(WebhookDeliveryEntity, { tenantId, id });
  if (!delivery) throw notFound('delivery', id);
  const { status, workflowId } = delivery;
  if (workflowId === null) return 0;
  if (isFinal(status))
    throw new ServiceError('delivery_final', `The delivery has ended (${status}). Resend it instead.`);
  throw new ServiceError('endpoint_paused', 'The endpoint is paused. Resume it first.');
}

/** Deliveries per transaction; a repeated call continues with the next. */
export const MAX_RETRIED_AT_ONCE = 10_000;

/**
 * Makes the waiting retries of an endpoint due now, oldest first, for a receiver that has recovered. Each delivery
 * still has at most six attempts, and concurrency limits still apply. Errors: `not_found`, `endpoint_deactivated`,
 * `endpoint_paused`, `clinic_inactive`.
 */
export async function retryEndpointNow(em: EntityManager, wanted: EndpointOfClinic, context: CommandContext) {
  const endpoint = await requireEndpoint(em, wanted);
  // Its deliveries wait for its system to read them.
  if (deliveryMode(endpoint) === 'pull') return { deliveries: 0 };
  await requireReceiving(em, endpoint);
  refusePaused(endpoint, context.now);
  const { id, tenantId } = endpoint;
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
