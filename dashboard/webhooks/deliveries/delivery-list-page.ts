import type { DeliveryWithAttempts } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { html, type Html } from '../../../pages/html.ts';
import { live, nextPage, notice } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { FRAME_WORDS } from '../../layout/words.ts';
import type { Page } from '../../serving/page-request.ts';
import { ALL_CHOSEN, pickBox, resendChoice } from './delivery-choice.ts';
import { deliveryNarrowing, type Narrowing } from './delivery-narrowing.ts';
import { deliveryTable, type Visits } from './delivery-table.ts';
import { RESEND_WORDS } from './resend-words.ts';
import { DELIVERY_WORDS } from './words.ts';

export interface DeliveryList extends Narrowing {
  deliveries: readonly DeliveryWithAttempts[];
  visits: Visits;
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
  const { none, noneFound, next } = DELIVERY_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.deliveries;
  const filters = new URLSearchParams([...query].filter(([name, value]) => value && !OF_THE_PAGE.has(name)));
  const rows = deliveryTable(view, {
    ...list,
    caption: title,
    empty: filters.size > 0 ? noneFound : none,
    before: (delivery, event) => pickBox(view, delivery, list, event),
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
