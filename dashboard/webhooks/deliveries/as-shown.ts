import { lockEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { lockRow } from '../../../db/connection/locks.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhook-delivery.entity.ts';
import { findLatestSending } from '../../../db/webhooks/deliveries/resend-facts.ts';
import { notFound } from '../../../domain/service-error.ts';
import { html, type Html } from '../../../pages/html.ts';
import { isMadeFrom, versionInput } from '../../edits/version.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { PageRequest } from '../../serving/page-request.ts';
import { attemptToUse } from './delivery-state.ts';

type DeliveryPlace = Pick<WebhookDeliveryRow, 'tenantId' | 'id'>;

/**
 * Sends a delivery again. When it was sent again since the page was made, that sending is returned instead.
 * @param shown how often it had been sent again; undefined: the form does not say
 */
export async function resendAsShown(
  em: EntityManager,
  { tenantId, id }: DeliveryPlace,
  shown: number | undefined,
  resend: () => Promise<WebhookDeliveryRow>,
): Promise<WebhookDeliveryRow> {
  const delivery = await em.findOne(WebhookDeliveryEntity, { tenantId, id });
  if (!delivery) throw notFound('delivery', id);
  await lockEndpoint(em, delivery);
  const latest = await findLatestSending(em, delivery);
  return shown === undefined || shown === latest.resendNumber ? resend() : latest;
}

/** Brings the next attempt forward. It says which one that is, and asks before the last. */
export function retryForm(
  view: View,
  delivery: WebhookDeliveryRow,
  { action, button }: { action: string; button: Html },
): Html {
  const { uses, ...asked } = attemptToUse(delivery, view);
  return form(
    view,
    { action, ...asked },
    html`${versionInput(waitOf(delivery))}${button} <span class="soft">${uses}</span>`,
  );
}

/** Does it unless the delivery no longer waits for what the page showed. */
export function retryAsShown(
  { form: sent, write }: Pick<PageRequest, 'form' | 'write'>,
  { tenantId, id }: DeliveryPlace,
  retry: (em: EntityManager) => Promise<unknown>,
): Promise<void> {
  return write(async (em) => {
    const delivery = await lockRow(em, WebhookDeliveryEntity, { tenantId, id });
    if (!delivery || isMadeFrom(sent, waitOf(delivery))) await retry(em);
  });
}

/** Which attempt comes next, and when. */
function waitOf({ attemptCount, nextAttemptAt }: WebhookDeliveryRow): string {
  return `${attemptCount} ${nextAttemptAt?.getTime() ?? ''}`;
}
