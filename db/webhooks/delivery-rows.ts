import type { DeliveryStatus } from '../../domain/webhooks/delivery-status.ts';
import { WebhookAttemptEntity, type WebhookAttemptRow } from '../entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../entities/webhook-delivery.entity.ts';
import type { Sql } from '../connection/open-database.ts';

export interface DeliveryWithAttempts {
  delivery: WebhookDeliveryRow;
  /** In the order of their numbers. */
  attempts: WebhookAttemptRow[];
}

/** The newest deliveries first, of one clinic or, for an operator, of all. */
export async function newestDeliveries(
  sql: Sql,
  wanted: { tenantId?: string | undefined; status?: DeliveryStatus | undefined; limit: number },
): Promise<DeliveryWithAttempts[]> {
  const { limit, tenantId, status } = wanted;
  const where = { ...(tenantId && { tenantId }), ...(status && { status }) };
  const deliveries = await sql.find(WebhookDeliveryEntity, where, { orderBy: { id: 'desc' }, limit });
  return withAttempts(sql, deliveries);
}

export async function withAttempts(
  sql: Sql,
  deliveries: WebhookDeliveryRow[],
): Promise<DeliveryWithAttempts[]> {
  const ids = deliveries.map(({ id }) => id);
  const attempts = await sql.find(
    WebhookAttemptEntity,
    { deliveryId: { $in: ids } },
    { orderBy: { deliveryId: 'asc', number: 'asc' } },
  );
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({ delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
}
