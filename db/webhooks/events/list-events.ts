import type { CreationTime } from '../created-within.ts';
import { withAttempts, type DeliveryWithAttempts } from '../deliveries/deliveries-with-attempts.ts';
import { WebhookDeliveryEntity } from '../../entities/webhook-delivery.entity.ts';
import { WebhookEventEntity, type WebhookEventRow } from '../../entities/webhook-event.entity.ts';
import { openEvent, type OpenedEvent } from './sealed-body.ts';
import type { EntityManager } from '../../connection/open-database.ts';

/** Of an event that was resent again and again; all of them are in the list of deliveries. */
const MOST_DELIVERIES = 1000;

export interface WantedEvents extends CreationTime {
  tenantId: string;
  type?: string | undefined;
  appointmentId?: string | undefined;
  /** The position of the last one already shown. */
  before?: { createdAt: Date; id: string } | undefined;
  limit: number;
}

/** An event without what is sent, which may be 256 KiB. */
export type EventSummary = Pick<WebhookEventRow, 'id' | 'tenantId' | 'type' | 'appointmentId' | 'createdAt'>;

/** The clinic's events, newest first. */
export function listEvents(em: EntityManager, wanted: WantedEvents): Promise<EventSummary[]> {
  const { limit, before, since, until, ...filters } = wanted;
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const within = [
    ...(since ? [{ createdAt: { $gte: since } }] : []),
    ...(until ? [{ createdAt: { $lt: until } }] : []),
    ...(before
      ? [
          { createdAt: { $lte: before.createdAt } },
          { $or: [{ createdAt: { $lt: before.createdAt } }, { id: { $lt: before.id } }] },
        ]
      : []),
  ];
  return em.find(
    WebhookEventEntity,
    { ...given, $and: within },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit, exclude: ['body'] },
  );
}

export interface EventWithDeliveries {
  event: OpenedEvent;
  /** The newest, oldest first: docs/limits.md#answers */
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
    { orderBy: { id: 'desc' }, limit: MOST_DELIVERIES },
  );
  return { event: await openEvent(em, event), deliveries: await withAttempts(em, deliveries.reverse()) };
}
