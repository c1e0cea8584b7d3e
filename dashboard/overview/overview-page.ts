import type { AgendaEntry } from '../../db/appointments/list-agenda.ts';
import type { BookingsOfHour } from '../../db/appointments/bookings-by-hour.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhook-endpoint.entity.ts';
import type { DeliveriesOfHour } from '../../db/webhooks/deliveries/deliveries-by-hour.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { html, type Html } from '../../pages/html.ts';
import { agendaTable } from '../appointments/day-page.ts';
import { live, notice } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { aboutEndpoint, endpointName } from '../webhooks/endpoints/endpoint-state.ts';
import { hourChart } from './chart.ts';
import { NEW_ENDPOINT } from '../webhooks/endpoints/new-endpoint-page.ts';
import { OVERVIEW_WORDS } from './words.ts';

export const HOURS = 24;
/** It counts a day's rows. */
const REFRESH_SECONDS = 60;
/** So many rows are counted; more are said to be more. */
export const MOST_COUNTED = 10_000;

export interface Overview {
  /** All of the clinic. */
  endpoints: readonly WebhookEndpointRow[];
  bookings: readonly BookingsOfHour[];
  deliveries: readonly DeliveriesOfHour[];
  /** When the first of the hours begins. */
  since: Date;
  /** Of today, from now on. */
  left: readonly AgendaEntry[];
}

export function overviewPage(view: View, overview: Overview): Page {
  const words = OVERVIEW_WORDS[view.language];
  const { endpoints, left } = overview;
  return {
    title: FRAME_WORDS[view.language].sections.overview,
    body: live(
      'overview',
      REFRESH_SECONDS,
      html`${endpointNotices(view, endpoints)}
        <p>${view.format.day(view.now)}</p>
        <h2>${words.lastDay}</h2>
        ${charts(view, overview)}
        <h2>${words.left}</h2>
        ${
          left.length === 0
            ? html`<p class="empty">${words.noneLeft}</p>`
            : agendaTable(view, left, { caption: words.left, withProfessional: true })
        }
        <p class="next"><a id="whole-day" href="/appointments">${words.wholeDay}</a></p>`,
    ),
  };
}

function endpointNotices(view: View, endpoints: readonly WebhookEndpointRow[]): Html | Html[] | null {
  if (endpoints.length > 0) {
    const ill = endpoints.filter(({ status }) => status === 'failing' || status === 'deactivated');
    return ill.map((endpoint) => endpointNotice(view, endpoint));
  }
  if (!mayUse(view.session, 'webhooks')) return null;
  const { firstSteps, addEndpoint } = OVERVIEW_WORDS[view.language];
  return notice('idle', html`${firstSteps} <a href="${NEW_ENDPOINT}">${addEndpoint}</a>`);
}

function endpointNotice(view: View, endpoint: WebhookEndpointRow): Html {
  const { showEndpoint } = OVERVIEW_WORDS[view.language];
  const link = html` <a href="/integrations/endpoints/${endpoint.id}">${showEndpoint}</a>`;
  return notice(
    'bad',
    html`<strong>${endpointName(endpoint)}</strong>:
      ${aboutEndpoint(endpoint, view)}${mayUse(view.session, 'webhooks') && link}`,
  );
}

function charts(view: View, { bookings, deliveries, since }: Overview): Html {
  const words = OVERVIEW_WORDS[view.language];
  const lost = deliveries.reduce((sum, each) => sum + each.lost, 0);
  const failures = deliveries.map((each) => ({ hour: each.hour, count: each.failures }));
  return html`<div class="cards">
    ${card(view, {
      title: words.bookings,
      address: '/appointments',
      values: byHour(bookings.map((each) => ({ hour: each.hour, count: each.bookings }))),
      since,
    })}
    ${card(view, {
      title: words.deliveries,
      address: mayUse(view.session, 'webhooks') ? '/integrations/deliveries' : null,
      values: byHour(deliveries.map((each) => ({ hour: each.hour, count: each.deliveries }))),
      since,
    })}
    ${card(view, {
      title: words.failures,
      hint: lost > 0 ? words.lost(view.format.number(lost)) : words.noneLost,
      address: mayUse(view.session, 'webhooks') ? '/integrations/deliveries' : null,
      values: byHour(failures),
      since,
      tone: 'bad',
    })}
  </div>`;
}

function byHour(counts: readonly { hour: number; count: number }[]): number[] {
  const values = Array.from({ length: HOURS }, () => 0);
  for (const { hour, count } of counts) if (hour < HOURS) values[hour] = count;
  return values;
}

interface Card {
  title: string;
  hint?: string;
  /** Null: nowhere that the reader may go. */
  address: string | null;
  values: readonly number[];
  since: Date;
  tone?: 'bad';
}

function card(view: View, { title, hint, address, ...chart }: Card): Html {
  const { atLeast } = OVERVIEW_WORDS[view.language];
  const total = chart.values.reduce((sum, value) => sum + value, 0);
  return html`<section class="card">
    <h3>${address === null ? title : html`<a href="${address}">${title}</a>`}</h3>
    <p class="figure">${total >= MOST_COUNTED && atLeast} ${view.format.number(total)}</p>
    ${hourChart(view, chart)} ${hint && html`<p class="more">${hint}</p>`}
  </section>`;
}
