import type { DeliveryWithAttempts } from '../../../db/webhooks/deliveries/deliveries-with-attempts.ts';
import type { Timings } from '../../../domain/timings.ts';
import { html, type Html } from '../../../pages/html.ts';
import { instant, live, nextPage, notice, table, type TableRow } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { FRAME_WORDS } from '../../layout/words.ts';
import type { Page } from '../../page-request.ts';
import { endpointName } from '../endpoints/endpoint-state.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { filterForm, type FilterForm } from './delivery-filters.ts';
import { attemptsMade, deliveryBadge, nextAttempt } from './delivery-state.ts';
import { DELIVERY_WORDS } from './words.ts';

export interface DeliveryList extends FilterForm {
  deliveries: readonly DeliveryWithAttempts[];
  /** Of the next page. */
  cursor: string | null;
  timings: Timings;
}

/** Older pages stand still, the first one changes while it is looked at. */
const REFRESH_SECONDS = 5;

/** Of an address: what was asked for, and how many deliveries come of it. */
const SAID = ['sent', 'retried'] as const;

export function deliveryListPage(view: View, list: DeliveryList): Page {
  const { query, wrong, cursor } = list;
  const { heads, none, noneFound, next } = DELIVERY_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.deliveries;
  const filters = withoutSaid(query);
  const isFiltered = [...filters.values()].some((value) => value !== '');
  const rows = table({
    caption: title,
    heads: [heads.event, heads.endpoint, heads.state, heads.attempts, heads.next, heads.created],
    rows: list.deliveries.map((found) => deliveryRow(view, found, list)),
    empty: isFiltered ? noneFound : none,
  });
  const isLive = wrong === null && !query.get('cursor');
  return {
    title,
    body: html`${said(view, query)} ${filterForm(view, list)}
    ${live('deliveries', isLive ? REFRESH_SECONDS : null, html`${rows} ${nextPage(filters, cursor, next)}`)}`,
    ...(wrong && { status: 422 }),
  };
}

/** What was asked for on the page before: how many deliveries come of it. */
function said({ language, format }: View, query: URLSearchParams): Html[] {
  const words = DELIVERY_WORDS[language];
  return SAID.filter((name) => /^\d{1,7}$/.test(query.get(name) ?? '')).map((name) => {
    const count = Number(query.get(name));
    return notice(count > 0 ? 'good' : 'idle', words[name](count, format.number(count)));
  });
}

function withoutSaid(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !SAID.some((said) => said === name)));
}

function deliveryRow(
  view: View,
  { delivery, endpointUrl }: DeliveryWithAttempts,
  { endpoints, timings }: DeliveryList,
): TableRow {
  const { id, eventType, endpointId, createdAt } = delivery;
  const { types } = EVENT_WORDS[view.language];
  const endpoint = endpoints.find((each) => each.id === endpointId);
  const name = endpointName(endpoint ?? { description: null, url: endpointUrl });
  return {
    cells: [
      // With an id of its own a link keeps the focus while the list refreshes itself.
      html`<a id="delivery-${id}" href="/integrations/deliveries/${id}">${types[eventType]}</a>
        <span class="under"><code>${eventType}</code></span>`,
      endpoint ? html`<a id="endpoint-${id}" href="/integrations/endpoints/${endpointId}">${name}</a>` : name,
      deliveryBadge(delivery, view),
      attemptsMade(delivery, view, timings),
      nextAttempt(delivery, view),
      instant(createdAt, `${view.format.shortDay(createdAt)}, ${view.format.time(createdAt)}`),
    ],
  };
}
