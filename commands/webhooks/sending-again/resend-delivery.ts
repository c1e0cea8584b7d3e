import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { findLatestSending } from '../../../db/webhooks/deliveries/resend-facts.ts';
import { lockEventBody } from '../../../db/webhooks/events/find-events.ts';
import { isFinal } from '../../../domain/webhooks/delivery-status.ts';
import { notFound, ServiceError } from '../../../domain/service-error.ts';
import { recordAudit, type CommandContext } from '../../command-context.ts';
import { addDelivery } from '../add-delivery.ts';
import { lockEndpoint, requireReceiving } from '../require-endpoint.ts';
import { retryDeliveryNow } from './retry-now.ts';

/**
 * Resends an event to an endpoint as a new delivery, after the earlier delivery has ended. Errors: `not_found`,
 * `endpoint_deactivated`, `clinic_inactive`, `delivery_open`, `delivery_final` (the event's body is no longer stored).
 */
export async function resendDelivery(
  em: EntityManager,
  { tenantId, deliveryId }: { tenantId: string; deliveryId: string },
  context: CommandContext,
): Promise<WebhookDeliveryRow> {
  const original = await em.findOne(WebhookDeliveryEntity, { tenantId, id: deliveryId });
  if (!original) throw notFound('delivery', deliveryId);
  const { url } = await requireEndpointOf(em, original);
  if (!isFinal(original.status)) throw isStillOpen();
  const { eventId, endpointId, eventType, appointmentId } = original;
  if (!(await lockEventBody(em, tenantId, eventId))) throw isNoLongerKept();
  const last = await findLatestSending(em, original);
  const sent = { tenantId, eventId, endpointId, url, eventType, appointmentId, resendOf: original.id };
  const id = await addDelivery(em, { ...sent, resendNumber: last.resendNumber + 1 }, context.now);
  return em.findOneOrFail(WebhookDeliveryEntity, { tenantId, id });
}

/** The endpoint of an existing delivery. If it was deleted, the error is `endpoint_deactivated`, not 404. */
async function requireEndpointOf(em: EntityManager, delivery: WebhookDeliveryRow) {
  const endpoint = await lockEndpoint(em, delivery);
  if (!endpoint)
    throw new ServiceError(
      'endpoint_deactivated',
      'The endpoint was deleted, so this delivery cannot be resent.',
    );
  await requireReceiving(em, endpoint);
  return endpoint;
}

function isNoLongerKept(): ServiceError {
  return new ServiceError('delivery_final', 'The event’s content has been deleted, so it cannot be resent.');
}

function isStillOpen(): ServiceError {
  return new ServiceError(
    'delivery_open',
    'The delivery still has automatic retries left. Use `retry-now` instead.',
  );
}

type DeliveryOfClinic = Pick<WebhookDeliveryRow, 'id' | 'tenantId'>;

/** `retryDeliveryNow` for operators and support, with an audit entry. */
export async function retryForClinic(
  em: EntityManager,
  { id: deliveryId, tenantId }: DeliveryOfClinic,
  context: CommandContext,
): Promise<void> {
  await retryDeliveryNow(em, { tenantId, deliveryId });
  await recordAudit(em, { action: 'delivery.retried', tenantId, subjectId: deliveryId }, context);
}

/** `resendDelivery` for operators and support, with an audit entry. */
export async function resendForClinic(
  em: EntityManager,
  { id: deliveryId, tenantId }: DeliveryOfClinic,
  context: CommandContext,
): Promise<WebhookDeliveryRow> {
  const resent = await resendDelivery(em, { tenantId, deliveryId }, context);
  await recordAudit(em, { action: 'delivery.resent', tenantId, subjectId: resent.id }, context);
  return resent;
}
