import { anyOf, columnsBut, tables, type EntityManager } from '../../connection/statements.ts';
import { openRows } from '../../encryption/field-seal.ts';
import type { WebhookAttemptRow } from '../../entities/webhook-attempt.entity.ts';
import type { WebhookDeliveryRow } from '../../entities/webhook-delivery.entity.ts';

/** An attempt without what the receiver answered, which may be 16 KiB. */
export type AttemptSummary = Omit<WebhookAttemptRow, 'responseExcerpt'>;

export interface DeliveryWithAttempts<Attempt = AttemptSummary> {
  delivery: WebhookDeliveryRow;
  endpointUrl: string;
  /** In the order of their numbers. */
  attempts: Attempt[];
}

const WHOLE = columnsBut('webhook_attempt');
const SUMMARY = columnsBut('webhook_attempt', 'responseExcerpt');

export function withAttempts(
  em: EntityManager,
  deliveries: readonly WebhookDeliveryRow[],
): Promise<DeliveryWithAttempts[]> {
  return bringTogether(em, deliveries, SUMMARY);
}

/** With what the receiver answered to each attempt. */
export async function withExcerpts(
  em: EntityManager,
  delivery: WebhookDeliveryRow,
): Promise<DeliveryWithAttempts<WebhookAttemptRow>> {
  const [together] = await withAllExcerpts(em, [delivery]);
  if (!together) throw new Error('a delivery was lost on the way');
  return together;
}

/** The same for many; up to 16 KiB for each attempt. */
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
    endpointUrl: urls.get(delivery.endpointId) ?? '',
    attempts: byDelivery.get(delivery.id) ?? [],
  }));
}
