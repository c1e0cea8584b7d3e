import { withAttempts, type DeliveryWithAttempts } from './delivery-rows.ts';
import { WebhookDeliveryEntity } from '../entities/webhook-delivery.entity.ts';
import { WebhookEventEntity, type WebhookEventRow } from '../entities/webhook-event.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface WantedEvents {
  tenantId: string;
  type?: string | undefined;
  appointmentId?: string | undefined;
  /** The place of the last one already shown. */
  before?: { createdAt: Date; id: string } | undefined;
  limit: number;
}

/** The clinic's events, newest first. */
export function listEvents(em: EntityManager, wanted: WantedEvents): Promise<WebhookEventRow[]> {
  const { limit, before, ...filters } = wanted;
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const older = before && {
    createdAt: { $lte: before.createdAt },
    $or: [{ createdAt: { $lt: before.createdAt } }, { id: { $lt: before.id } }],
  };
  return em.find(
    WebhookEventEntity,
    { ...given, ...older },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit },
  );
}

export interface EventWithDeliveries {
  event: WebhookEventRow;
  /** Oldest first. */
  deliveries: DeliveryWithAttempts[];
}

/** Null when the clinic has no such event. */
export async function findEvent(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<EventWithDeliveries | null> {
  const event = await em.findOne(WebhookEventEntity, { tenantId, id });
  if (!event) return null;
  const deliveries = await em.find(
    WebhookDeliveryEntity,
    { tenantId, eventId: id },
    { orderBy: { id: 'asc' } },
  );
  return { event, deliveries: await withAttempts(em, deliveries) };
}
