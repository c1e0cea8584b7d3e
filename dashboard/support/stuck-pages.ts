import { countRetries, type WaitingRetries } from '../../db/webhooks/deliveries/hasten-deliveries.ts';
import { findOverdueNoShows } from '../../db/appointments/no-shows.ts';
import { findStuckEndpoints, type StuckEndpoint } from '../../db/support/stuck-endpoints.ts';
import { findAnswers, type AnswersById } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { WebhookEndpointEntity } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { notFound } from '../../domain/service-error.ts';
import type { Overdue } from '../../domain/diagnosis/overdue.ts';
import { receivesEvents } from '../../domain/webhooks/endpoint-status.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, instant, live, notice, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type PageRoute } from '../serving/page-request.ts';
import {
  MAX_COUNTED,
  retryAllAsConfirmed,
  retryAllForm,
  UnsureRetry,
} from '../webhooks/deliveries/retry-all.ts';
import {
  acceptedOf,
  endpointBadge,
  lastAnswer,
  hostOf,
  standingOf,
} from '../webhooks/endpoints/endpoint-state.ts';
import { clinicLink } from './clinic-times.ts';
import { STUCK } from './undelivered-part.ts';
import { SUPPORT_WORDS } from './words.ts';

const MAX_ENDPOINTS = 50;

/** Stuck deliveries across clinics. */
export function stuckPages(): PageRoute[] {
  return [
    supportPage('GET', STUCK, async ({ view, query, read }) => {
      const { stuck: words } = SUPPORT_WORDS[view.language];
      const stuck = await read((em) => findStuckEndpoints(em, MAX_ENDPOINTS));
      const ids = stuck.map((endpoint) => endpoint.id);
      const shown = {
        answers: await read((em) => findAnswers(em, ids, view.now)),
        retries: await read((em) => countRetries(em, ids, MAX_COUNTED)),
        unsure: query.get('unsure'),
      };
      const overdue = await read((em) => findOverdueNoShows(em));
      const retried = /^\d{1,6}$/.exec(query.get('retried') ?? '')?.[0];
      return {
        title: words.title,
        body: html`${retried !== undefined && notice('good', words.retried(Number(retried), view.format.number(Number(retried))))}
          ${live('stuck', 10, html`${stuckPart(view, stuck, shown)} ${timersPart(view, overdue)}`)}
          <p class="actions"><a class="button second" href="/support/health">${words.health}</a></p>`,
      };
    }),
    supportPage('POST', '/support/endpoints/:id/retry', async (request) => {
      const { id, read, write } = request;
      const endpoint = await read((em) => em.findOne(WebhookEndpointEntity, { id }));
      if (!endpoint) throw notFound('endpoint', id);
      const wanted = { tenantId: endpoint.tenantId, endpointId: id };
      try {
        const { deliveries } = await write((em) => retryAllAsConfirmed(em, wanted, request));
        return { to: `${STUCK}?retried=${deliveries}` };
      } catch (error) {
        if (!(error instanceof UnsureRetry)) throw error;
        return { to: `${STUCK}?unsure=${id}` };
      }
    }),
  ];
}

/** What is known of the stuck endpoints. */
interface Known {
  answers: AnswersById;
  retries: readonly WaitingRetries[];
  /** The endpoint for which the form did not confirm that last attempts are used. */
  unsure: string | null;
}

function stuckPart(view: View, stuck: readonly StuckEndpoint[], known: Known): Html {
  const { heads, stuck: words } = SUPPORT_WORDS[view.language];
  const rows = stuck.map((endpoint) => ({ cells: cellsOf(view, endpoint, known) }));
  return html`<p>${words.text}</p>
    ${table({
      caption: words.title,
      heads: [heads.clinic, heads.endpoint, heads.open, heads.oldest, heads.answer, ''],
      rows,
      empty: words.none,
    })}`;
}

function cellsOf(view: View, endpoint: StuckEndpoint, known: Known) {
  const answers = known.answers.get(endpoint.id);
  const { stuck: words } = SUPPORT_WORDS[view.language];
  const { format, now } = view;
  const { tenantId, clinicName, url, open, oldestId, oldestCreatedAt } = endpoint;
  const isActive = standingOf(endpoint, answers, view) === 'active';
  return [
    clinicLink({ id: tenantId, name: clinicName }),
    html`<a href="/support/deliveries?endpoint=${endpoint.id}">${hostOf(url)}</a
      ><br />${isActive ? badge('waiting', words.delayed) : endpointBadge(endpoint, answers, view)}`,
    format.number(open),
    html`<a href="/support/deliveries/${oldestId}"
      >${instant(oldestCreatedAt, format.relative(oldestCreatedAt, now))}</a
    >`,
    answers
      ? html`${lastAnswer(answers, view)}
          <div class="soft">${acceptedOf(answers, view)}</div>`
      : words.notYet,
    // Open deliveries of a disabled endpoint end as skipped.
    receivesEvents(endpoint.status)
      ? retryAllForm(view, {
          action: `/support/endpoints/${endpoint.id}/retry`,
          retries: known.retries.filter(({ endpointId }) => endpointId === endpoint.id),
          version: null,
          open,
          isUnsure: known.unsure === endpoint.id,
        })
      : '',
  ];
}

function timersPart({ language, format }: View, overdue: Overdue | null): Html {
  const { stuck: words } = SUPPORT_WORDS[language];
  return html`<h2>${words.timers}</h2>
    <p>${overdue ? words.noShows(overdue.count, format.number(overdue.count)) : words.noNoShows}</p>`;
}
