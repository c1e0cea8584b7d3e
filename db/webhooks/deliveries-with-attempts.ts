import type { DeliveryStatus } from '../../domain/webhooks/delivery-status.ts';
import { WebhookAttemptEntity, type WebhookAttemptRow } from '../entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity, type WebhookDeliveryRow } from '../entities/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** An attempt without what the receiver answered, which may be 16 KiB. */
export type AttemptSummary = Pick<
  WebhookAttemptRow,
  'deliveryId' | 'number' | 'startedAt' | 'durationMs' | 'outcome' | 'errorClass' | 'responseStatus'
>;

export interface DeliveryWithAttempts<Attempt = AttemptSummary> {
  delivery: WebhookDeliveryRow;
  endpointUrl: string;
  /** In the order of their numbers. */
  attempts: Attempt[];
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
  const options = { ...BY_NUMBER, exclude: ['responseExcerpt'] as const };
  return bringTogether(em, deliveries, await em.find(WebhookAttemptEntity, ofAll(deliveries), options));
}

/** With what the receiver answered to each attempt. */
export async function withExcerpts(
  em: EntityManager,
  delivery: WebhookDeliveryRow,
): Promise<DeliveryWithAttempts<WebhookAttemptRow>> {
  const attempts = await em.find(WebhookAttemptEntity, ofAll([delivery]), BY_NUMBER);
  const [together] = await bringTogether(em, [delivery], attempts);
  if (!together) throw new Error('a delivery was lost on the way');
  return together;
}

const BY_NUMBER = { orderBy: { deliveryId: 'asc', number: 'asc' } } as const;

function ofAll(deliveries: readonly WebhookDeliveryRow[]) {
  return { deliveryId: { $in: deliveries.map(({ id }) => id) } };
}

async function bringTogether<Attempt extends AttemptSummary>(
  em: EntityManager,
  deliveries: readonly WebhookDeliveryRow[],
  attempts: readonly Attempt[],
): Promise<DeliveryWithAttempts<Attempt>[]> {
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const endpoints = await em.find(WebhookEndpointEntity, { id: { $in: endpointIds } });
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return deliveries.map((delivery) => ({
    delivery,
    endpointUrl: urls.get(delivery.endpointId) ?? '',
    attempts: byDelivery.get(delivery.id) ?? [],
  }));
}
