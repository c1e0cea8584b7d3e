import { z } from 'zod';
import type { CreationTime } from '../created-within.ts';
import { withAttempts, type DeliveryWithAttempts } from '../deliveries/list-deliveries.ts';
import { WebhookDeliveryEntity } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEventEntity, type WebhookEventRow } from '../../entities/webhooks/webhook-event.entity.ts';
import { openEvent, type OpenedEvent } from './sealed-body.ts';
import { onlyValue, run, tables, type EntityManager } from '../../connection/statements.ts';

/** The most deliveries shown for an event. The list of deliveries contains all of them. */
const MAX_DELIVERIES = 1000;

export interface EventQuery extends CreationTime {
  tenantId: string;
  type?: string | undefined;
  appointmentId?: string | undefined;
  /** The position of the last one already shown. */
  before?: { createdAt: Date; id: string } | undefined;
  limit: number;
}

/** An event without its body, which may be 256 KiB. */
export type EventSummary = Pick<WebhookEventRow, 'id' | 'tenantId' | 'type' | 'appointmentId' | 'createdAt'>;

/** The clinic's events, newest first. */
export function listEvents(em: EntityManager, wanted: EventQuery): Promise<EventSummary[]> {
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
  /** The newest deliveries, oldest first: docs/limits.md#answers */
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
    { orderBy: { id: 'desc' }, limit: MAX_DELIVERIES },
  );
  return { event: await openEvent(em, event), deliveries: await withAttempts(em, deliveries.reverse()) };
}

/**
 * An event's body as it is sent; null when it is no longer stored or the clinic has no such event.
 * @throws SecretUnreadableError
 */
export async function findEventBody(em: EntityManager, tenantId: string, id: string): Promise<string | null> {
  const event = await em.findOne(WebhookEventEntity, { tenantId, id });
  return event && (await openEvent(em, event)).body;
}

/** Whether the event can be sent; if so, its body cannot be deleted before the transaction ends. */
export async function lockEventBody(em: EntityManager, tenantId: string, eventId: string): Promise<boolean> {
  const events = tables(em)
    .selectFrom('webhook_event')
    .where('tenantId', '=', tenantId)
    .where('id', '=', eventId);
  const kept = events.where('body', 'is not', null);
  return (await kept.forKeyShare().select('id').executeTakeFirst()) !== undefined;
}

/**
 * Waits until all transactions that are writing events for the endpoint have ended. Returns the database's time, and
 * holds no lock afterwards.
 */
export async function waitForEventsUnderWay(em: EntityManager, endpointId: string): Promise<Date> {
  // Deliveries lock their endpoint FOR KEY SHARE through the foreign key; rolling back to the savepoint releases our
  // lock.
  await run(em)`SAVEPOINT events_under_way`;
  await run(em)`SELECT FROM webhook_endpoint WHERE id = ${endpointId} FOR UPDATE`;
  await run(em)`ROLLBACK TO SAVEPOINT events_under_way`;
  return onlyValue(em, z.date())`SELECT clock_timestamp()::timestamptz(3)`;
}
