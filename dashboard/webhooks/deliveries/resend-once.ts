import { lockEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhook-delivery.entity.ts';
import { findLatestSending } from '../../../db/webhooks/deliveries/resend-facts.ts';
import { notFound } from '../../../domain/service-error.ts';
import { isMadeFrom } from '../../edits/version.ts';
import type { PageRequest } from '../../serving/page-request.ts';

/**
 * Sends a delivery again; of two who ask at once, or of a form that is sent twice, the second one is led to what the first
 * has asked for.
 */
export function resendOnce(
  { form, write }: Pick<PageRequest, 'form' | 'write'>,
  place: DeliveryPlace,
  resend: (em: EntityManager) => Promise<WebhookDeliveryRow>,
): Promise<WebhookDeliveryRow> {
  const isSeen = (resendNumber: number) => isMadeFrom(form, resendNumber);
  return write((em) => resendUnlessSince(em, place, { isSeen, resend: () => resend(em) }));
}

type DeliveryPlace = Pick<WebhookDeliveryRow, 'tenantId' | 'id'>;

interface Resending {
  /** Whether the page showed that the event had been sent again so often. */
  isSeen: (resendNumber: number) => boolean;
  resend: () => Promise<WebhookDeliveryRow>;
}

/** The same within a transaction. @throws ServiceError `not_found`, and what `resend` throws */
export async function resendUnlessSince(
  em: EntityManager,
  { tenantId, id }: DeliveryPlace,
  { isSeen, resend }: Resending,
): Promise<WebhookDeliveryRow> {
  const delivery = await em.findOne(WebhookDeliveryEntity, { tenantId, id });
  if (!delivery) throw notFound('delivery', id);
  await lockEndpoint(em, delivery);
  const latest = await findLatestSending(em, delivery);
  return isSeen(latest.resendNumber) ? resend() : latest;
}
