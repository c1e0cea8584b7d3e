import { z } from 'zod';
import type { WebhookEndpointRow } from '../../../db/entities/webhook-endpoint.entity.ts';
import { anyEventType, deliveryStatus, errorClass } from '../../../domain/named-enums.schema.ts';
import { html, type Html } from '../../../pages/html.ts';
import { choice, field } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { readLocalTime } from '../../language/local-time.ts';
import { readFields } from '../../read-fields.ts';
import { endpointName } from '../endpoints/endpoint-state.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { FAILURE_WORDS } from '../failure-words.ts';
import { FILTER_WORDS } from './filter-words.ts';
import { DELIVERY_WORDS } from './words.ts';

const ADDRESS = '/integrations/deliveries';

/** Of what PostgreSQL can compare with. */
const YEARS = /^(19|2\d)\d\d-/;

/** What the list is to hold, as its address says; the names of those that cannot be read. */
export function readFilters(query: URLSearchParams, { format }: View) {
  const localTime = z.string().transform((text, context) => {
    const at = YEARS.test(text) ? readLocalTime(text, format.zone) : null;
    if (at) return at;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  });
  const filters = z.object({
    endpointId: z.guid().optional().catch(undefined),
    status: deliveryStatus.optional().catch(undefined),
    eventType: anyEventType.optional().catch(undefined),
    errorClass: errorClass.optional().catch(undefined),
    since: localTime.optional(),
    until: localTime.optional(),
    appointmentId: z.guid().optional(),
  });
  // A field that was left empty asks for nothing.
  return readFields(filters, new URLSearchParams([...query].filter(([, value]) => value.trim() !== '')));
}

export interface FilterForm {
  query: URLSearchParams;
  endpoints: readonly WebhookEndpointRow[];
  wrong: ReadonlySet<string> | null;
}

export function filterForm(view: View, { query, endpoints, wrong }: FilterForm): Html {
  const filters = FILTER_WORDS[view.language];
  const { states } = DELIVERY_WORDS[view.language];
  const given = (name: string) => ({ name, value: query.get(name) ?? '' });
  const select = (name: string, label: string, options: [string, string][]) =>
    choice({
      ...given(name),
      label,
      options: [['', filters.any], ...options].map(([value = '', words = '']) => ({ value, label: words })),
    });
  const input = (name: string, label: string, type: 'text' | 'datetime-local', mistake: string) =>
    field({ ...given(name), label, type, error: wrong?.has(name) ? mistake : undefined });
  const named = endpoints.map((endpoint): [string, string] => [endpoint.id, endpointName(endpoint)]);
  return html`<form class="filters" action="${ADDRESS}">
    ${select('endpointId', filters.endpoint, named)}
    ${select('status', filters.status, Object.entries(states))}
    ${select('eventType', filters.type, Object.entries(EVENT_WORDS[view.language].types))}
    ${select('errorClass', filters.error, failureTitles(view))}
    ${input('since', filters.since, 'datetime-local', filters.wrongTime)}
    ${input('until', filters.until, 'datetime-local', filters.wrongTime)}
    ${input('appointmentId', filters.appointment, 'text', filters.wrongId)}
    <p class="actions">
      <button class="second">${filters.show}</button>
      <a href="${ADDRESS}">${filters.clear}</a>
    </p>
  </form>`;
}

function failureTitles({ language }: View): [string, string][] {
  return Object.entries(FAILURE_WORDS[language]).map(([errorClass, { title }]) => [errorClass, title]);
}
