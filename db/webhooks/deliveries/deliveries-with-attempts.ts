import { sql, type RawBuilder } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';
import { SEALED_FIELDS } from '../../../domain/encryption/sealed-fields.ts';
import type { RawRow } from '../../connection/row-reader.ts';
import { sealedReader } from '../../encryption/sealed-reader.ts';
import {
  WebhookAttemptEntity,
  type StoredWebhookAttempt,
  type WebhookAttemptRow,
} from '../../entities/webhook-attempt.entity.ts';
import type { WebhookDeliveryRow } from '../../entities/webhook-delivery.entity.ts';

/** An attempt without what the receiver answered, which may be 16 KiB. */
export type AttemptSummary = Omit<WebhookAttemptRow, 'responseExcerpt'>;

export interface DeliveryWithAttempts<Attempt = AttemptSummary> {
  delivery: WebhookDeliveryRow;
  endpointUrl: string;
  /** In the order of their numbers. */
  attempts: Attempt[];
}

const attemptReader = sealedReader<StoredWebhookAttempt>(WebhookAttemptEntity, SEALED_FIELDS.webhookAttempt);
const SUMMARY = attemptReader.columnsBut('responseExcerpt');

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
export function withAllExcerpts(
  em: EntityManager,
  deliveries: readonly WebhookDeliveryRow[],
): Promise<DeliveryWithAttempts<WebhookAttemptRow>[]> {
  return bringTogether(em, deliveries, attemptReader.columns);
}

async function bringTogether(
  em: EntityManager,
  deliveries: readonly WebhookDeliveryRow[],
  attemptColumns: RawBuilder<unknown>,
): Promise<DeliveryWithAttempts<WebhookAttemptRow>[]> {
  const { rows: attempts } = await sql<RawRow>`
    SELECT ${attemptColumns} FROM webhook_attempt
    WHERE delivery_id = ANY(${deliveries.map(({ id }) => id)}::uuid[])
    ORDER BY delivery_id, number
  `.execute(em.getKysely());
  const byDelivery = Map.groupBy(await attemptReader.readAll(em, attempts), ({ deliveryId }) => deliveryId);
  const { rows: endpoints } = await sql<{ id: string; url: string }>`
    SELECT id, url FROM webhook_endpoint
    WHERE id = ANY(${[...new Set(deliveries.map(({ endpointId }) => endpointId))]}::uuid[])
  `.execute(em.getKysely());
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return deliveries.map((delivery) => ({
    delivery,
    endpointUrl: urls.get(delivery.endpointId) ?? '',
    attempts: byDelivery.get(delivery.id) ?? [],
  }));
}
