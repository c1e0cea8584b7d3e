import type { EntityManager } from '../../connection/open-database.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../../entities/webhook-delivery.entity.ts';

/** Of all deliveries of an event to an endpoint the one that was asked for last. */
export function findLatestSending(
  em: EntityManager,
  { tenantId, eventId, endpointId }: Pick<WebhookDeliveryRow, 'tenantId' | 'eventId' | 'endpointId'>,
): Promise<WebhookDeliveryRow> {
  return em.findOneOrFail(
    WebhookDeliveryEntity,
    { tenantId, eventId, endpointId },
    { orderBy: { resendNumber: 'desc' } },
  );
}
