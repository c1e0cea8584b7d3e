import { createdWithin, type CreationTime } from '../created-within.ts';
import { withAttempts, withExcerpts, type DeliveryWithAttempts } from './deliveries-with-attempts.ts';
import type { WebhookAttemptRow } from '../../entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../../entities/webhook-delivery.entity.ts';
import { anyOf, hasValues, tables, type EntityManager, type RowOf } from '../../connection/statements.ts';

export interface WantedDeliveries extends CreationTime {
  /** Of all clinics unless told: for operators. */
  tenantId?: string | undefined;
  endpointId?: string | undefined;
  status?: RowOf<'webhook_delivery'>['status'] | undefined;
  eventType?: RowOf<'webhook_delivery'>['eventType'] | undefined;
  eventId?: string | undefined;
  appointmentId?: string | undefined;
  /** Of any of these appointments. */
  ofAppointments?: readonly string[] | undefined;
  /** Whose last failed attempt failed so. */
  errorClass?: RowOf<'webhook_delivery'>['lastErrorClass'] | undefined;
  /** The id of the last one already shown. */
  before?: string | undefined;
  limit: number;
}

/** Deliveries with their attempts, newest first. */
export async function listDeliveries(
  em: EntityManager,
  wanted: WantedDeliveries,
): Promise<DeliveryWithAttempts[]> {
  const { tenantId, endpointId, status, eventType, eventId, appointmentId, ofAppointments, before } = wanted;
  const values = { tenantId, endpointId, status, eventType, eventId, appointmentId };
  const deliveries = await tables(em)
    .selectFrom('webhook_delivery')
    .selectAll()
    .where((delivery) =>
      delivery.and([
        hasValues(delivery, { ...values, lastErrorClass: wanted.errorClass }),
        ...(ofAppointments ? [delivery('appointmentId', '=', anyOf(ofAppointments))] : []),
        ...createdWithin(wanted),
        ...(before ? [delivery('id', '<', before)] : []),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(wanted.limit)
    .execute();
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
