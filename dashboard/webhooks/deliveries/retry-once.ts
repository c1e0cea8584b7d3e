import { lockRow } from '../../../db/connection/locks.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhook-delivery.entity.ts';
import type { Timings } from '../../../domain/timings.ts';
import { html, type Html } from '../../../pages/html.ts';
import { isMadeFrom, versionInput } from '../../edits/version.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { PageRequest } from '../../serving/page-request.ts';
import { attemptToUse } from './delivery-state.ts';

/** Brings the next attempt forward. It says which one that is, and asks before the last. */
export function retryForm(
  view: View,
  delivery: WebhookDeliveryRow,
  { action, timings, button }: { action: string; timings: Timings; button: Html },
): Html {
  const { uses, ...asked } = attemptToUse(delivery, view, timings);
  return form(
    view,
    { action, ...asked },
    html`${versionInput(waitOf(delivery))}${button} <span class="soft">${uses}</span>`,
  );
}

/** Does it unless the delivery no longer waits for what the page showed: a form that is sent twice hurries one attempt. */
export function retryOnce(
  { form: sent, write }: Pick<PageRequest, 'form' | 'write'>,
  place: { tenantId: string; deliveryId: string },
  retry: (em: EntityManager) => Promise<unknown>,
): Promise<void> {
  const { tenantId, deliveryId: id } = place;
  return write(async (em) => {
    const delivery = await lockRow(em, WebhookDeliveryEntity, { tenantId, id });
    if (!delivery || isMadeFrom(sent, waitOf(delivery))) await retry(em);
  });
}

/** Which attempt comes next, and when. */
function waitOf({ attemptCount, nextAttemptAt }: WebhookDeliveryRow): string {
  return `${attemptCount} ${nextAttemptAt?.getTime() ?? ''}`;
}
