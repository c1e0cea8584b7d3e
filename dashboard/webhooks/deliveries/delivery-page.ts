import type { WebhookAttemptRow } from '../../../db/entities/webhooks/webhook-attempt.entity.ts';
import type { WebhookDeliveryRow } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { DeliveryWithAttempts } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import type { SignatureVerdict } from '../../../domain/webhooks/check-signature.ts';
import { isFinal } from '../../../domain/webhooks/delivery-status.ts';
import { isRejection } from '../../../domain/webhooks/endpoint-answers.ts';
import { pauseEnd, receivesEvents } from '../../../domain/webhooks/endpoint-status.ts';
import { html, type Html } from '../../../pages/html.ts';
import { versionInput } from '../../edits/version.ts';
import { copyable, facts, instant, live, shortId } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { endpointName } from '../endpoints/endpoint-state.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { retryForm } from './as-shown.ts';
import { attemptList } from './attempt-list.ts';
import { attemptsMade, deliveryBadge, nextAttempt } from './delivery-state.ts';
import { visitOf, type Visits } from './delivery-table.ts';
import { curlCommand, sentHeaders, type Signing } from './sent-request.ts';
import { verifySection } from './verify-section.ts';
import { DELIVERY_WORDS } from './words.ts';

export interface ShownDelivery extends Signing {
  found: DeliveryWithAttempts<WebhookAttemptRow>;
  /** The endpoint; null when it was deleted. */
  endpoint: WebhookEndpointRow | null;
  /** How often the event was resent to the endpoint. */
  sentAgain: number;
  visits: Visits;
  /** Whether body and responses may be shown. */
  mayRead: boolean;
  /** The result of checking a signature. */
  verdict: SignatureVerdict | null;
}

const REFRESH_SECONDS = 5;
/** The part with the last attempt's request. */
const REQUEST = 'request';
/** How often the page refreshes before the first attempt, because people wait for it. */
const FIRST_ATTEMPT_SECONDS = 1;
/** The most characters of a body that are shown: bodies may be 256 KiB, and the page contains each twice. */
const MAX_SHOWN = 10_000;

/** A delivery: its state and reason, its contents, and actions. */
export function deliveryPage(view: View, shown: ShownDelivery): Page {
  const { delivery } = shown.found;
  const words = DELIVERY_WORDS[view.language];
  const pause = delivery.status === 'pending' ? FIRST_ATTEMPT_SECONDS : REFRESH_SECONDS;
  const seconds = isFinal(delivery.status) ? null : pause;
  const address = `/integrations/deliveries/${delivery.id}`;
  const state = html`${deliveryFacts(view, shown)} ${actions(view, shown)}
    <h2>${words.attempts}</h2>
    ${attemptList(view, shown)}`;
  return {
    title: EVENT_WORDS[view.language].types[delivery.eventType],
    body: html`${live('delivery', seconds, state, { address, alongside: [REQUEST] })}
      <h2>${words.body}</h2>
      ${eventBody(view, shown)}
      <div id="${REQUEST}">${shown.mayRead && shown.body !== null && curl(view, shown, shown.body)}</div>
      ${shown.endpoint && verifySection(view, delivery.id, shown.secrets, shown.verdict)}`,
  };
}

function deliveryFacts(view: View, { found, endpoint, visits }: ShownDelivery): Html {
  const { delivery, endpointUrl } = found;
  const { heads, removed } = DELIVERY_WORDS[view.language];
  const { appointmentId, resendOf, createdAt } = delivery;
  const next = isWaiting(view, delivery, endpoint) ? null : nextAttempt(delivery, view);
  const mayFollow = mayUse(view.session, 'appointments');
  return html`<p>${deliveryBadge(delivery, view)} ${aboutDelivery(view, found, endpoint)}</p>
    ${facts([
      ...(delivery.workflowId === null ? [] : ([[heads.attempts, attemptsMade(delivery, view)]] as const)),
      ...(next ? ([[heads.next, next]] as const) : []),
      [heads.created, instant(createdAt, view.format.dateTime(createdAt))],
      [
        heads.endpoint,
        endpoint
          ? html`<a href="/integrations/endpoints/${endpoint.id}">${endpointName(endpoint)}</a>`
          : html`${endpointUrl} (${removed})`,
      ],
      ...(appointmentId && mayFollow
        ? ([[heads.appointment, visitOf(view, delivery, visits) ?? shortId(view, appointmentId)]] as const)
        : []),
      ...(resendOf
        ? ([
            [
              heads.resendOf,
              html`<a href="/integrations/deliveries/${resendOf}">${resendOf.slice(0, 8)}</a>`,
            ],
          ] as const)
        : []),
      [heads.eventId, shortId(view, delivery.eventId)],
    ])}`;
}

/** What happens next, or how it ended. */
function aboutDelivery(
  { language, format, now }: View,
  { delivery: { status, workflowId }, attempts }: DeliveryWithAttempts<WebhookAttemptRow>,
  endpoint: WebhookEndpointRow | null,
): string {
  const { about, stopped, inQueue, fromQueue, paused } = DELIVERY_WORDS[language];
  if (isFinal(status)) return workflowId === null && status === 'succeeded' ? fromQueue : about[status];
  if (!endpoint || !isOn(endpoint)) return stopped;
  const pausedUntil = pauseEnd(endpoint, now);
  if (pausedUntil) return paused(format.moment(pausedUntil, now));
  if (workflowId === null) return inQueue;
  const last = attempts.at(-1);
  const isRefused = status === 'retrying' && last && isRejection(last.errorClass, last.responseStatus);
  return about[isRefused ? 'refused' : status];
}

/** No attempt is made now: its endpoint is off or paused, or it waits in a queue. */
function isWaiting(
  { now }: View,
  { status, workflowId }: WebhookDeliveryRow,
  endpoint: WebhookEndpointRow | null,
): boolean {
  if (isFinal(status)) return false;
  return !endpoint || !isOn(endpoint) || workflowId === null || pauseEnd(endpoint, now) !== null;
}

function isOn(endpoint: WebhookEndpointRow | null): boolean {
  return endpoint !== null && endpoint.deletedAt === null && receivesEvents(endpoint.status);
}

function actions(view: View, shown: ShownDelivery): Html | null {
  const { found, endpoint, body, sentAgain } = shown;
  const { delivery } = found;
  const { retry, resend } = DELIVERY_WORDS[view.language];
  if (!isOn(endpoint)) return null;
  const address = `/integrations/deliveries/${delivery.id}`;
  if (isWaiting(view, delivery, endpoint)) return null;
  if (!isFinal(delivery.status))
    return retryForm(view, delivery, {
      action: `${address}/retry`,
      button: html`<button id="retry">${retry}</button>`,
    });
  if (body === null) return null;
  return form(
    view,
    { action: `${address}/resend` },
    html`${versionInput(sentAgain)}<button class="second">${resend}</button>`,
  );
}

function eventBody({ language }: View, { body, mayRead }: ShownDelivery): Html {
  const { bodyGone, bodyHidden, bodyLong } = DELIVERY_WORDS[language];
  if (!mayRead) return html`<p>${bodyHidden}</p>`;
  if (body === null) return html`<p>${bodyGone}</p>`;
  const pretty = JSON.stringify(JSON.parse(body), null, 2);
  return html`${pretty.length > MAX_SHOWN && html`<p>${bodyLong}</p>`}
    <pre tabindex="0"><code>${pretty.slice(0, MAX_SHOWN)}</code></pre>`;
}

/** The request as a command; nothing is sent to a pull endpoint. */
function curl(view: View, { found, body: signed, secrets }: ShownDelivery, body: string): Html | null {
  const { delivery, attempts, endpointUrl } = found;
  if (endpointUrl === null) return null;
  const words = DELIVERY_WORDS[view.language];
  const sent = attempts.map((attempt) => ({
    url: attempt.url ?? endpointUrl,
    headers: sentHeaders(delivery, attempt, { body: signed, secrets }),
  }));
  const last = sent.findLast(({ headers }) => headers !== null);
  const isLong = body.length > MAX_SHOWN;
  const headers = last?.headers ?? { 'Content-Type': 'application/json' };
  return html`<h2>${words.curl}</h2>
    <p>${last ? words.curlText : words.curlUnsigned} ${isLong && words.curlLong}</p>
    ${copyable(view, curlCommand(last?.url ?? endpointUrl, headers, isLong ? null : body))}`;
}
