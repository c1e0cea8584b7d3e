import type { DeliveryWithAttempts } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { html, type Html } from '../../../pages/html.ts';
import { instant, live, nextPage, notice, table, type TableRow } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { FRAME_WORDS } from '../../layout/words.ts';
import type { Page } from '../../serving/page-request.ts';
import { endpointName } from '../endpoints/endpoint-state.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { ALL_CHOSEN, pickBox, resendChoice } from './delivery-choice.ts';
import { deliveryNarrowing, type Narrowing } from './delivery-narrowing.ts';
import { attemptsMade, deliveryBadge, lastAnswer, nextAttempt } from './delivery-state.ts';
import { RESEND_WORDS } from './resend-words.ts';
import { DELIVERY_WORDS } from './words.ts';

export interface DeliveryList extends Narrowing {
  deliveries: readonly DeliveryWithAttempts[];
  /** The cursor of the next page. */
  cursor: string | null;
}

/** How often the first page refreshes, except while rows are selected. */
const REFRESH_SECONDS = 5;

/** Query parameters with the number of deliveries that an action created. */
const SAID = ['sent', 'retried', 'resent'] as const;
/** Query parameters that are no filters. */
const OF_THE_PAGE: ReadonlySet<string> = new Set([...SAID, 'cursor', ALL_CHOSEN]);

export function deliveryListPage(view: View, list: DeliveryList): Page {
  const { query, wrong, cursor } = list;
  const { heads, none, noneFound, next } = DELIVERY_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.deliveries;
  const filters = new URLSearchParams([...query].filter(([name, value]) => value && !OF_THE_PAGE.has(name)));
  const rows = table({
    caption: title,
    heads: [heads.event, heads.endpoint, heads.state, heads.attempts, heads.created],
    rows: list.deliveries.map((found) => deliveryRow(view, found, list)),
    empty: filters.size > 0 ? noneFound : none,
  });
  const isLive = wrong === null && !query.has('cursor') && !query.has(ALL_CHOSEN);
  const found = resendChoice(view, list, html`${rows} ${nextPage(filters, cursor, next)}`);
  return {
    title,
    body: html`${said(view, query)} ${deliveryNarrowing(view, { ...list, query: filters })}
    ${live('deliveries', isLive ? REFRESH_SECONDS : null, found)}`,
    ...(wrong && { status: 422 }),
  };
}

/** A confirmation with the number of deliveries. */
function said({ language, format }: View, query: URLSearchParams): Html[] {
  const words = RESEND_WORDS[language];
  return SAID.filter((name) => /^\d{1,7}$/.test(query.get(name) ?? '')).map((name) => {
    const count = Number(query.get(name));
    return notice(count > 0 ? 'good' : 'idle', words[name](count, format.number(count)));
  });
}

function deliveryRow(view: View, found: DeliveryWithAttempts, list: DeliveryList): TableRow {
  const { delivery, endpointUrl, attempts } = found;
  const { id, eventType, endpointId, createdAt } = delivery;
  const { language, format } = view;
  const { heads } = DELIVERY_WORDS[language];
  const endpoint = list.endpoints.find((each) => each.id === endpointId);
  const name = endpointName(endpoint ?? { description: null, url: endpointUrl });
  const next = nextAttempt(delivery, view);
  // With its own id, a link keeps the focus when the list refreshes.
  const event = html`<a id="delivery-${id}" href="/integrations/deliveries/${id}"
      >${EVENT_WORDS[language].types[eventType]}</a
    >
    <span class="under"><code>${eventType}</code></span>`;
  return {
    cells: [
      pickBox(view, delivery, list, event),
      endpoint ? html`<a id="endpoint-${id}" href="/integrations/endpoints/${endpointId}">${name}</a>` : name,
      html`${deliveryBadge(delivery, view)} ${lastAnswer(view, attempts.at(-1))}`,
      html`${attemptsMade(delivery, view)} ${next && html`<span class="under">${heads.next}: ${next}</span>`}`,
      instant(createdAt, `${format.shortDay(createdAt)}, ${format.time(createdAt)}`),
    ],
  };
}
