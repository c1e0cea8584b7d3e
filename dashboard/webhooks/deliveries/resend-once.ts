import { lockEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { WebhookDeliveryRow } from '../../../db/entities/webhook-delivery.entity.ts';
import { findLatestSending } from '../../../db/webhooks/deliveries/latest-sending.ts';
import { isMadeFrom } from '../../edits/version.ts';
import type { PageRequest } from '../../page-request.ts';

/**
 * Sends a delivery again; of two who ask at once, or of a form that is sent twice, the second one is led to what the first
 * has asked for.
 */
export function resendOnce(
  { form, write }: Pick<PageRequest, 'form' | 'write'>,
  delivery: WebhookDeliveryRow,
  resend: (em: EntityManager) => Promise<WebhookDeliveryRow>,
): Promise<WebhookDeliveryRow> {
  return write(async (em) => {
    await lockEndpoint(em, delivery);
    const latest = await findLatestSending(em, delivery);
    return isMadeFrom(form, latest.resendNumber) ? resend(em) : latest;
  });
}
