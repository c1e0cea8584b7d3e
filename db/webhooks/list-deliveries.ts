import type { DeliveryStatus } from '../../domain/webhooks/delivery-status.ts';
import { withAttempts, withExcerpts, type DeliveryWithAttempts } from './deliveries-with-attempts.ts';
import type { WebhookAttemptRow } from '../entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface WantedDeliveries {
  tenantId: string;
  endpointId?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  appointmentId?: string | undefined;
  /** The id of the last one already shown. */
  before?: string | undefined;
  limit: number;
}

/** The clinic's deliveries with their attempts, newest first. */
export async function listDeliveries(
  em: EntityManager,
  wanted: WantedDeliveries,
): Promise<DeliveryWithAttempts[]> {
  const { limit, before, ...filters } = wanted;
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const where = { ...given, ...(before && { id: { $lt: before } }) };
  const deliveries = await em.find(WebhookDeliveryEntity, where, { orderBy: { id: 'desc' }, limit });
  return withAttempts(em, deliveries);
}

/** With what the receiver answered; null when the clinic has no such delivery. */
export async function findDelivery(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<DeliveryWithAttempts<WebhookAttemptRow> | null> {
  const delivery = await em.findOne(WebhookDeliveryEntity, { tenantId, id });
  return delivery && withExcerpts(em, delivery);
}
