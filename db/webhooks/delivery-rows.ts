import type { DeliveryStatus } from '../../domain/webhooks/delivery-status.ts';
import { WebhookAttemptEntity, type WebhookAttemptRow } from '../entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../entities/webhook-delivery.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface DeliveryWithAttempts {
  delivery: WebhookDeliveryRow;
  /** In the order of their numbers. */
  attempts: WebhookAttemptRow[];
}

/** The newest deliveries first, of one clinic or, for an operator, of all. */
export async function newestDeliveries(
  em: EntityManager,
  wanted: { tenantId?: string | undefined; status?: DeliveryStatus | undefined; limit: number },
): Promise<DeliveryWithAttempts[]> {
  const { limit, tenantId, status } = wanted;
  const where = { ...(tenantId && { tenantId }), ...(status && { status }) };
  const deliveries = await em.find(WebhookDeliveryEntity, where, { orderBy: { id: 'desc' }, limit });
  return withAttempts(em, deliveries);
}

export async function withAttempts(
  em: EntityManager,
  deliveries: WebhookDeliveryRow[],
): Promise<DeliveryWithAttempts[]> {
  const ids = deliveries.map(({ id }) => id);
  const attempts = await em.find(
    WebhookAttemptEntity,
    { deliveryId: { $in: ids } },
    { orderBy: { deliveryId: 'asc', number: 'asc' } },
  );
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({ delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
}
