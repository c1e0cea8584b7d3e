import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { DELIVERY_STATUSES } from '../../../domain/webhooks/delivery-status.ts';
import { html, type Html } from '../../../pages/html.ts';
import { choice, field } from '../../layout/form.ts';
import { chips, keptInputs, narrowed, searchField, type Chip } from '../../layout/narrowing.ts';
import type { View } from '../../layout/view.ts';
import { endpointName } from '../endpoints/endpoint-state.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { FAILURE_WORDS } from '../failure-words.ts';
import { FILTER_WORDS, STRETCHES, type Stretch } from './filter-words.ts';
import { DELIVERY_WORDS } from './words.ts';

export const DELIVERIES = '/integrations/deliveries';

export interface Narrowing {
  query: URLSearchParams;
  endpoints: readonly WebhookEndpointRow[];
  /** The names of invalid fields. */
  wrong: ReadonlySet<string> | null;
}

/** The filters of the list of deliveries: a search field, common filters, and the rest collapsed. */
export function deliveryNarrowing(view: View, narrowing: Narrowing): Html {
  const { query } = narrowing;
  const words = FILTER_WORDS[view.language];
  return html`${searchField({
      action: DELIVERIES,
      query,
      label: words.search,
      hint: words.searchHint,
      button: words.find,
    })}
    <div class="narrowing">
      ${chips(words.status, stateChips(view, query))} ${endpointChips(view, narrowing)}
      ${chips(
        words.when,
        STRETCHES.map((stretch) => stretchChip(view, query, stretch)),
      )}
      ${alsoChosen(view, query)} ${folded(view, narrowing)}
    </div>`;
}

function chip(query: URLSearchParams, name: string, value: string, words: string): Chip {
  const isChosen = query.get(name) === value;
  return { words, isChosen, address: narrowed(DELIVERIES, query, { [name]: isChosen ? null : value }) };
}

function stateChips({ language }: View, query: URLSearchParams): Chip[] {
  const { states } = DELIVERY_WORDS[language];
  return DELIVERY_STATUSES.map((status) => chip(query, 'status', status, states[status]));
}

function endpointChips({ language }: View, { query, endpoints }: Narrowing): Html | null {
  if (endpoints.length < 2 && !query.has('endpointId')) return null;
  return chips(
    FILTER_WORDS[language].endpoint,
    endpoints.map((endpoint) => chip(query, 'endpointId', endpoint.id, endpointName(endpoint))),
  );
}

function stretchChip({ language, format, now }: View, query: URLSearchParams, stretch: Stretch): Chip {
  const { date: today, previous: yesterday } = localDayOf(now, format.zone);
  const weekAgo = localDayOf(new Date(now.getTime() - 7 * 86_400_000), format.zone).date;
  const since = { today, yesterday, week: weekAgo }[stretch];
  const [from, until] = [`${since}T00:00`, stretch === 'yesterday' ? `${today}T00:00` : null];
  const isChosen = query.get('since') === from && (query.get('until') || null) === until;
  const changes = isChosen ? { since: null, until: null } : { since: from, until };
  return {
    words: FILTER_WORDS[language].stretches[stretch],
    isChosen,
    address: narrowed(DELIVERIES, query, changes),
  };
}

/** Other filters in the address, for example from a link on an appointment. */
function alsoChosen({ language }: View, query: URLSearchParams): Html | null {
  const words = FILTER_WORDS[language];
  const types: Partial<Record<string, string>> = EVENT_WORDS[language].types;
  const failures: Partial<Record<string, { title: string }>> = FAILURE_WORDS[language];
  const said = {
    eventType: types[query.get('eventType') ?? ''],
    errorClass: failures[query.get('errorClass') ?? '']?.title,
    appointmentId: query.get('appointmentId') ? words.ofAppointment : undefined,
  };
  const chosen = Object.entries(said).flatMap(([name, text]) =>
    text === undefined ? [] : [chip(query, name, query.get(name) ?? '', text)],
  );
  return chosen.length === 0 ? null : chips(words.also, chosen);
}

const FOLDED = ['eventType', 'errorClass', 'since', 'until'];

function folded(view: View, { query, wrong }: Narrowing): Html {
  const words = FILTER_WORDS[view.language];
  const given = (name: string) => ({ name, value: query.get(name) ?? '' });
  const select = (name: string, label: string, options: [string, string][]) =>
    choice({
      ...given(name),
      label,
      options: [['', words.any], ...options].map(([value = '', text = '']) => ({ value, label: text })),
    });
  const time = (name: string, label: string) =>
    field({
      ...given(name),
      label,
      type: 'datetime-local',
      error: wrong?.has(name) ? words.wrongTime : undefined,
    });
  return html`<details ${wrong !== null && html`open`}>
    <summary>${words.more}</summary>
    ${wrong?.has('appointmentId') && html`<p class="error">${words.wrongId}</p>`}
    <form class="filters" action="${DELIVERIES}">
      ${keptInputs(query, FOLDED)}
      ${select('eventType', words.type, Object.entries(EVENT_WORDS[view.language].types))}
      ${select('errorClass', words.error, failureTitles(view))} ${time('since', words.since)}
      ${time('until', words.until)}
      <p class="actions">
        <button class="second">${words.show}</button>
        <a href="${DELIVERIES}">${words.clear}</a>
      </p>
    </form>
  </details>`;
}

function failureTitles({ language }: View): [string, string][] {
  return Object.entries(FAILURE_WORDS[language]).map(([errorClass, { title }]) => [errorClass, title]);
}
