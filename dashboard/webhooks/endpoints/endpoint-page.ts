import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { WaitingRetries } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import type { QueueLag } from '../../../db/webhooks/queue/unread-queues.ts';
import type { DeliveryWithAttempts } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import type { LastFailure } from '../../../db/webhooks/deliveries/last-failure.ts';
import type { EndpointAnswers } from '../../../domain/webhooks/endpoint-answers.ts';
import { pauseEnd, receivesEvents, shownStatus } from '../../../domain/webhooks/endpoint-status.ts';
import { html, type Html } from '../../../pages/html.ts';
import { outdatedNotice, savedNotice } from '../../edits/edit-parts.ts';
import { versionInput } from '../../edits/version.ts';
import { facts, instant, live, notice } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import { upTo, type View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import type { EndpointSecret } from '../../../commands/webhooks/signing-secrets.ts';
import { deliveryTable, type Visits } from '../deliveries/delivery-table.ts';
import { MAX_COUNTED, retryAllForm, waitingIn } from '../deliveries/retry-all.ts';
import { failureOf, remedyOf } from '../failure-words.ts';
import { DETAIL_WORDS } from './detail-words.ts';
import { ENDPOINT_FORM } from './endpoint-fields.ts';
import { endpointFigures, type Courses } from './endpoint-figures.ts';
import { endpointForms, SECRETS } from './endpoint-forms.ts';
import {
  aboutEndpoint,
  aboutQueue,
  endpointName,
  endpointBadge,
  endpointTone,
  endpointVersion,
  standingOf,
  subscribedEvents,
} from './endpoint-state.ts';
import { FIGURE_WORDS } from './figure-words.ts';
import { ENDPOINT_WORDS } from './words.ts';

export interface ShownEndpoint {
  endpoint: WebhookEndpointRow;
  lastFailure: LastFailure | null;
  answers: EndpointAnswers | undefined;
  courses: Courses;
  /** Newest first. */
  latest: readonly DeliveryWithAttempts[];
  visits: Visits;
  /** The number of events that a replay would send, counted up to `MAX_COUNTED`. */
  missed: number;
  retries: readonly WaitingRetries[];
  /** Whether a form to retry all waiting deliveries did not confirm that last attempts are used. */
  isUnsureOfRetry?: boolean;
  secrets: readonly EndpointSecret[];
  /** How far behind its reader is; null for an endpoint with a URL. */
  lag: QueueLag | null;
  /** Headers that were typed and cannot be sent. */
  wrongHeaders?: string;
  /** Whether *Delete* was pressed without confirmation. */
  isUnsure?: boolean;
  /** Whether someone else changed the endpoint first. */
  isOutdated?: boolean;
  /** The query string of the page's address, which says what was saved. */
  query?: URLSearchParams;
}

const REFRESH_SECONDS = 10;

/** An endpoint: whether events arrive, who must act, and actions. */
export function endpointPage(view: View, shown: ShownEndpoint): Page {
  const { endpoint, isOutdated = false, query = new URLSearchParams() } = shown;
  const isRefused = shown.isUnsure || shown.isUnsureOfRetry || shown.wrongHeaders !== undefined;
  const { form: formWords } = ENDPOINT_WORDS[view.language];
  const address = `/integrations/endpoints/${endpoint.id}`;
  const state = html`${stateNotice(view, shown)} ${endpointFigures(view, shown.courses)}
  ${lastFailure(view, shown)} ${mending(view, shown)} ${latest(view, shown)}`;
  return {
    title: endpointName(endpoint),
    body: html`${isOutdated && outdatedNotice(view)} ${savedNotice(view, query, ENDPOINT_FORM, formWords)}
    ${live('state', REFRESH_SECONDS, state, { address, alongside: [SECRETS] })} ${settings(view, shown)}
    ${endpointForms(view, shown)}`,
    status: isOutdated ? 409 : isRefused ? 422 : 200,
  };
}

function settings(view: View, { endpoint, lag }: ShownEndpoint): Html {
  const words = DETAIL_WORDS[view.language];
  const { heads, queue } = ENDPOINT_WORDS[view.language];
  return html`<h2>${words.settings}</h2>
    ${facts([
      [words.url, endpoint.url === null ? queue.kind : html`<code>${endpoint.url}</code>`],
      ...(lag ? queueFacts(view, endpoint, lag) : []),
      [heads.events, subscribedEvents(endpoint, view)],
      ...(endpoint.headerNames.length > 0
        ? ([[words.headers, endpoint.headerNames.join(', ')]] as const)
        : []),
      [heads.since, instant(endpoint.createdAt, view.format.dateTime(endpoint.createdAt))],
    ])}
    <p class="actions">
      <a class="button second" href="/integrations/endpoints/${endpoint.id}/edit">${words.edit}</a>
    </p>`;
}

function queueFacts(view: View, endpoint: WebhookEndpointRow, lag: QueueLag) {
  const { queue } = ENDPOINT_WORDS[view.language];
  const request = html`<code>GET /v1/webhook-endpoints/${endpoint.id}/queue</code>`;
  return [
    [queue.request, request],
    [queue.name, aboutQueue(endpoint, lag, view)],
  ] as const;
}

function latest(view: View, { endpoint, latest: deliveries, visits }: ShownEndpoint): Html {
  const { latest: title, noneYet } = FIGURE_WORDS[view.language];
  return html`<h2>${title}</h2>
    ${deliveryTable(view, { caption: title, deliveries, visits, empty: noneYet })}
    ${
      deliveries.length > 0 &&
      html`<p class="next">
        <a id="all-deliveries" href="/integrations/deliveries?endpointId=${endpoint.id}"
          >${DETAIL_WORDS[view.language].all}</a
        >
      </p>`
    }`;
}

/**
 * The endpoint's state. Its status becomes failing only after six failed attempts, but refusals and waiting retries are
 * shown at once.
 */
function stateNotice(view: View, { endpoint, answers, retries }: ShownEndpoint): Html {
  const waiting = waitingIn(retries);
  const about = aboutEndpoint(endpoint, answers, view);
  if (standingOf(endpoint, answers, view) === 'active' && waiting > 0)
    return notice(
      'waiting',
      `${DETAIL_WORDS[view.language].heldUp(upTo(view, waiting, MAX_COUNTED))} ${about}`,
    );
  const tone = endpointTone(endpoint, answers, view);
  if (tone === 'good') return html`<p>${endpointBadge(endpoint, answers, view)} ${about}</p>`;
  return notice(tone, about);
}

function lastFailure(view: View, { lastFailure: failure }: ShownEndpoint): Html | null {
  if (!failure) return null;
  const { language, format, now } = view;
  const words = DETAIL_WORDS[language];
  const { errorClass, tlsFault, responseStatus } = failure;
  const { title } = failureOf(language, errorClass, tlsFault);
  const code = [tlsFault ?? errorClass, responseStatus].filter((part) => part !== null).join(' ');
  return html`<h2>${words.lastFailure}</h2>
    <p>
      <strong>${title}</strong> (<code>${code}</code>), ${format.moment(failure.startedAt, now)}.
      ${remedyOf(language, failure)}
      <a href="/integrations/deliveries/${failure.deliveryId}">${words.look}</a>
    </p>`;
}

/** How to bring the endpoint back, if it is not active. */
function startForm(view: View, endpoint: WebhookEndpointRow): Html | null {
  const words = DETAIL_WORDS[view.language];
  const address = `/integrations/endpoints/${endpoint.id}`;
  const version = versionInput(endpointVersion(endpoint));
  const status = shownStatus(endpoint, view.now);
  if (status === 'active') return null;
  if (status === 'paused')
    return form(
      view,
      { action: `${address}/resume` },
      html`${version}<button>${words.pause.resume}</button>`,
    );
  const enabling = words.enable[status === 'failing' ? 'failing' : 'off'];
  return html`<p>${enabling.text}</p>
    ${form(view, { action: `${address}/enable` }, html`${version}<button>${enabling.button}</button>`)}`;
}

/** How to bring the endpoint back, and what it has missed. */
function mending(view: View, shown: ShownEndpoint): Html {
  const { endpoint, missed, retries, isUnsureOfRetry = false } = shown;
  const words = DETAIL_WORDS[view.language];
  const address = `/integrations/endpoints/${endpoint.id}`;
  const isOn = receivesEvents(endpoint.status);
  const isPaused = pauseEnd(endpoint, view.now) !== null;
  const count = upTo(view, missed, MAX_COUNTED);
  const version = versionInput(endpointVersion(endpoint));
  return html`${startForm(view, endpoint)}
  ${
    missed > 0 &&
    html`<h2>${words.missed(count)}</h2>
      <p>${words.missedText}</p>
      ${form(
        view,
        { action: `${address}/replay` },
        html`${version}<button class="second">
            ${isOn ? words.sendMissed(count) : words.enableAndSend(count)}
          </button>`,
      )}`
  }
  ${isOn && !isPaused && retryAllForm(view, { action: `${address}/retry`, retries, version, isUnsure: isUnsureOfRetry })}`;
}
