import type { DeliveryWithAttempts } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import type { WebhookDeliveryRow } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import { isFinal } from '../../../domain/webhooks/delivery-status.ts';
import { html, type Html } from '../../../pages/html.ts';
import { narrowed } from '../../layout/narrowing.ts';
import type { View } from '../../layout/view.ts';
import { DELIVERIES } from './delivery-narrowing.ts';
import { RESEND_WORDS } from './resend-words.ts';

/** The page that shows selected deliveries before they are resent. */
export const RESEND = `${DELIVERIES}/resend`;

/** A query parameter: whether all rows are selected. */
export const ALL_CHOSEN = 'chosen';

interface Choosable {
  deliveries: readonly DeliveryWithAttempts[];
  query: URLSearchParams;
}

/** Wraps a list whose rows can be selected for resending; leaves others unchanged. */
export function resendChoice(view: View, { deliveries, query }: Choosable, rows: Html): Html {
  const isAny = deliveries.some(({ delivery }) => isChoosable(view, delivery));
  if (!isAny) return rows;
  const words = RESEND_WORDS[view.language];
  return html`<form action="${RESEND}">
    <p class="actions">
      <button class="second">${words.choose}</button>
      ${!query.has(ALL_CHOSEN) && html`<a href="${narrowed('', query, { [ALL_CHOSEN]: 'all' })}">${words.chooseAll}</a>`}
    </p>
    ${rows}
  </form>`;
}

/** The first cell of a row, with its checkbox. */
export function pickBox(view: View, delivery: WebhookDeliveryRow, { query }: Choosable, event: Html): Html {
  if (!isChoosable(view, delivery)) return html`<div class="unpicked">${event}</div>`;
  const { id } = delivery;
  return html`<span class="pick">
    <input
      type="checkbox"
      name="delivery"
      value="${id}"
      aria-label="${RESEND_WORDS[view.language].pick}"
      aria-describedby="delivery-${id}"
      ${query.has(ALL_CHOSEN) && html`checked`}
    />
    <span>${event}</span>
  </span>`;
}

/** Open deliveries need no resend. */
function isChoosable({ session }: View, { status }: WebhookDeliveryRow): boolean {
  return isFinal(status) && mayUse(session, 'webhook_changes');
}
