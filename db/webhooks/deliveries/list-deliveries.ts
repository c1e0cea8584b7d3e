import { createdWithin, type CreationTime } from '../created-within.ts';
import type { WebhookAttemptRow } from '../../entities/webhooks/webhook-attempt.entity.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../entities/webhooks/webhook-delivery.entity.ts';
import { anyOf, hasValues, tables, type EntityManager, type RowOf } from '../../connection/statements.ts';
import { columnsExcept } from '../../connection/columns.ts';
import { openRows } from '../../encryption/field-seal.ts';

export interface DeliveryQuery extends CreationTime {
  /** All clinics by default, for operators. */
  tenantId?: string | undefined;
  endpointId?: string | undefined;
  status?: RowOf<'webhook_delivery'>['status'] | undefined;
  eventType?: RowOf<'webhook_delivery'>['eventType'] | undefined;
  eventId?: string | undefined;
  appointmentId?: string | undefined;
  /** About any of these appointments. */
  ofAppointments?: readonly string[] | undefined;
  /** Only deliveries whose last failure had this error class. */
  errorClass?: RowOf<'webhook_delivery'>['lastErrorClass'] | undefined;
  /** The id of the last one already shown. */
  before?: string | undefined;
  limit: number;
}

/** Deliveries with their attempts, newest first. */
export async function listDeliveries(em: EntityManager, wanted: DeliveryQuery) {
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

/** A delivery with the receivers' responses; null when the clinic has no such delivery. */
export async function findDelivery(em: EntityManager, tenantId: string, id: string) {
  const delivery = await em.findOne(WebhookDeliveryEntity, { tenantId, id });
  return delivery && withExcerpts(em, delivery);
}

/** An attempt without the response, which may be 16 KiB. */
export type AttemptSummary = Omit<WebhookAttemptRow, 'responseExcerpt'>;

export interface DeliveryWithAttempts<Attempt = AttemptSummary> {
  delivery: WebhookDeliveryRow;
  /** Null for a pull endpoint. */
  endpointUrl: string | null;
  /** In order of attempt number. */
  attempts: Attempt[];
}

const WHOLE = columnsExcept('webhook_attempt');
const SUMMARY = columnsExcept('webhook_attempt', 'responseExcerpt');

export function withAttempts(
  em: EntityManager,
  deliveries: readonly WebhookDeliveryRow[],
): Promise<DeliveryWithAttempts[]> {
  return bringTogether(em, deliveries, SUMMARY);
}

/** Adds the receiver's response to each attempt. */
export async function withExcerpts(em: EntityManager, delivery: WebhookDeliveryRow) {
  const [together] = await withAllExcerpts(em, [delivery]);
  if (!together) throw new Error('a listed delivery could not be read');
  return together;
}

/** The attempts of many deliveries; up to 16 KiB per attempt. */
export function withAllExcerpts(em: EntityManager, deliveries: readonly WebhookDeliveryRow[]) {
  return bringTogether(em, deliveries, WHOLE);
}

async function bringTogether(
  em: EntityManager,
  deliveries: readonly WebhookDeliveryRow[],
  attemptColumns: typeof WHOLE,
): Promise<DeliveryWithAttempts<WebhookAttemptRow>[]> {
  const db = tables(em);
  const attempts = await db
    .selectFrom('webhook_attempt')
    .select(attemptColumns)
    .where('deliveryId', '=', anyOf(deliveries.map(({ id }) => id)))
    .orderBy('deliveryId')
    .orderBy('number')
    .execute();
  const opened = await openRows(em, 'webhookAttempt', attempts);
  const byDelivery = Map.groupBy(opened, ({ deliveryId }) => deliveryId);
  const ids = anyOf(new Set(deliveries.map(({ endpointId }) => endpointId)));
  const endpoints = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'url'])
    .where('id', '=', ids)
    .execute();
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return deliveries.map((delivery) => ({
    delivery,
    endpointUrl: urls.get(delivery.endpointId) ?? null,
    attempts: byDelivery.get(delivery.id) ?? [],
  }));
}
