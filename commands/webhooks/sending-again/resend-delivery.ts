import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhook-delivery.entity.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { findLatestSending } from '../../../db/webhooks/deliveries/latest-sending.ts';
import { holdEventBody } from '../../../db/webhooks/events/hold-event-body.ts';
import { isFinal } from '../../../domain/webhooks/delivery-status.ts';
import { receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import { notFound, ServiceError } from '../../../domain/service-error.ts';
import type { CommandContext } from '../../command-context.ts';
import { addDelivery } from '../add-delivery.ts';
import { endpointIsOff, lockEndpoint } from '../require-endpoint.ts';

/**
 * Sends an event to an endpoint again, as a new delivery with attempts of its own, once the first one has ended.
 * Errors: `not_found`, `endpoint_deactivated`, `delivery_open`, `delivery_final` (the event's body is no longer kept).
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
  if (!(await holdEventBody(em, tenantId, eventId))) throw isNoLongerKept();
  const last = await findLatestSending(em, original);
  const sent = { tenantId, eventId, endpointId, url, eventType, appointmentId, resendOf: original.id };
  const id = await addDelivery(em, { ...sent, resendNumber: last.resendNumber + 1 }, context.now);
  return em.findOneOrFail(WebhookDeliveryEntity, { tenantId, id });
}

/** The delivery exists, so a deleted endpoint is not a 404 here. */
async function requireEndpointOf(
  em: EntityManager,
  delivery: WebhookDeliveryRow,
): Promise<WebhookEndpointRow> {
  const endpoint = await lockEndpoint(em, delivery);
  if (!endpoint) throw new ServiceError('endpoint_deactivated', 'The endpoint was deleted.');
  if (!receivesEvents(endpoint.status)) throw endpointIsOff(endpoint.status);
  return endpoint;
}

function isNoLongerKept(): ServiceError {
  return new ServiceError(
    'delivery_final',
    'What the event said is no longer kept, so it cannot be sent again.',
  );
}

function isStillOpen(): ServiceError {
  return new ServiceError(
    'delivery_open',
    'The delivery has attempts left; bring the next one forward instead.',
  );
}
