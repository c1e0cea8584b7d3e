import type { AnswersById } from '../../../db/webhooks/endpoints/endpoint-answers.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { NotificationRow } from '../../../db/entities/webhooks/notification.entity.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { QueueLag } from '../../../db/webhooks/queue/unread-queues.ts';
import { instant, live, table } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { FRAME_WORDS } from '../../layout/words.ts';
import type { Page } from '../../serving/page-request.ts';
import {
  aboutEndpoint,
  aboutQueue,
  endpointBadge,
  endpointName,
  shortUrl,
  subscribedEvents,
} from './endpoint-state.ts';
import { NEW_ENDPOINT } from './new-endpoint-page.ts';
import { ALERTS, unreadAlerts } from '../alerts/alert-list.ts';
import { ALERT_WORDS } from '../alerts/words.ts';
import { ENDPOINT_WORDS } from './words.ts';

const REFRESH_SECONDS = 15;

export interface EndpointList {
  endpoints: readonly WebhookEndpointRow[];
  answers: AnswersById;
  unread: readonly NotificationRow[];
  /** The addresses that deliveries come from. */
  sources: readonly string[];
  /** How far behind the readers of pull endpoints are, by endpoint. */
  lags: ReadonlyMap<string, QueueLag>;
}

/** The clinic's endpoints, at most ten, and the newest unread alerts. */
export function endpointListPage(
  view: View,
  { endpoints, answers, unread, sources, lags }: EndpointList,
): Page {
  const { intro, heads, none, newEndpoint, comesFrom } = ENDPOINT_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.endpoints;
  const list = table({
    caption: title,
    heads: [heads.endpoint, heads.events, heads.state, heads.since],
    rows: endpoints.map((endpoint) => ({
      cells: [
        html`<a id="endpoint-${endpoint.id}" href="/integrations/endpoints/${endpoint.id}"
            >${endpointName(endpoint)}</a
          >
          <span class="under">${shortUrl(endpoint.url)}</span>`,
        subscribedEvents(endpoint, view),
        html`${endpointBadge(endpoint, answers.get(endpoint.id), view)}
          <span class="under sentence">${aboutEndpoint(endpoint, answers.get(endpoint.id), view)}</span>
          ${queueLine(view, endpoint, lags.get(endpoint.id))}`,
        instant(endpoint.createdAt, view.format.dateTime(endpoint.createdAt)),
      ],
    })),
    empty: none,
  });
  return {
    title,
    body: html`<p>${intro} ${sources.length > 0 && comesFrom(sources.join(', '))}</p>
      <p class="actions">
        <a class="button" href="${NEW_ENDPOINT}">${newEndpoint}</a>
        <a href="${ALERTS}">${ALERT_WORDS[view.language].all}</a>
      </p>
      ${live('endpoints', REFRESH_SECONDS, html`${unreadAlerts(view, unread, endpoints)} ${list}`)}`,
  };
}

function queueLine(view: View, endpoint: WebhookEndpointRow, lag: QueueLag | undefined): Html | null {
  return lag ? html`<span class="under sentence">${aboutQueue(endpoint, lag, view)}</span>` : null;
}
