import { lockEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import { lockRow } from '../../../db/connection/locks.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
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
 * Resends a delivery. If it was resent since the page was built, returns that resend instead.
 * @param shown how often the event had been resent; undefined when the form does not say
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

/** A button for the next attempt. It says which attempt that is, and asks before the last one. */
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

/** Retries unless the delivery has changed since the page was shown. */
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

/** The next attempt and its time. */
function waitOf({ attemptCount, nextAttemptAt }: WebhookDeliveryRow): string {
  return `${attemptCount} ${nextAttemptAt?.getTime() ?? ''}`;
}
