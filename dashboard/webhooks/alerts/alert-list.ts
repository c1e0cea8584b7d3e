import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { NotificationRow } from '../../../db/entities/webhooks/notification.entity.ts';
import { mayUse } from '../../../domain/people/roles.ts';
import {
  isAboutEndpoint,
  type EndpointNotification,
  type MailState,
} from '../../../domain/webhooks/endpoint-notification.ts';
import { html, type Html } from '../../../pages/html.ts';
import { badge, instant, live, nextPage, notice, table } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { FRAME_WORDS } from '../../layout/words.ts';
import type { Page } from '../../serving/page-request.ts';
import { shortUrl } from '../endpoints/endpoint-state.ts';
import { ALERT_WORDS } from './words.ts';

export const ALERTS = '/integrations/notices';

/** The number of alerts embedded in another page; the page of alerts lists all. */
const MAX_SHOWN = 3;

/** The clinic's unread alerts, each with a button to mark it as read; null without any. */
export function unreadAlerts(
  view: View,
  unread: readonly NotificationRow[],
  endpoints: readonly WebhookEndpointRow[],
): Html | null {
  if (unread.length === 0) return null;
  const words = ALERT_WORDS[view.language];
  return html`<h2>
      ${FRAME_WORDS[view.language].sections.notices}
      ${badge('bad', words.unread(view.format.number(unread.length)))}
    </h2>
    ${unread.slice(0, MAX_SHOWN).map((row) =>
      notice(
        'bad',
        html`<p>${saying(view, row, endpoints)} ${mailOf(view, row)}</p>
          <p class="actions">
            ${lookLink(view, row)} ${instant(row.createdAt, view.format.relative(row.createdAt, view.now))}
          </p>
          ${markAsRead(view, row)}`,
      ),
    )}`;
}

export interface AlertList {
  query: URLSearchParams;
  /** The cursor of the next page. */
  cursor: string | null;
  /** The clinic's endpoints. */
  endpoints: readonly WebhookEndpointRow[];
}

/** How often the first page refreshes; the others do not. */
const REFRESH_SECONDS = 15;

/** All alerts, newest first. */
export function alertListPage(
  view: View,
  rows: readonly NotificationRow[],
  { query, cursor, endpoints }: AlertList,
): Page {
  const { heads, none, next, readAt, unreadState } = ALERT_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.notices;
  const { format, now } = view;
  const list = table({
    caption: title,
    heads: [heads.notice, heads.at, heads.mail, heads.state],
    rows: rows.map((row) => ({
      cells: [
        row.appointmentId === null
          ? saying(view, row, endpoints)
          : html`${saying(view, row, endpoints)} ${lookLink(view, row)}`,
        instant(row.createdAt, format.dateTime(row.createdAt)),
        mailOf(view, row),
        row.readAt
          ? readAt(format.moment(row.readAt, now))
          : html`${badge('bad', unreadState)} ${markAsRead(view, row)}`,
      ],
    })),
    empty: none,
  });
  const seconds = query.has('cursor') ? null : REFRESH_SECONDS;
  return { title, body: live('notices', seconds, html`${list} ${nextPage(query, cursor, next)}`) };
}

function saying(
  { language, format, now }: View,
  notification: NotificationRow,
  endpoints: readonly WebhookEndpointRow[],
): string {
  const { kinds, past, unacknowledged, unread24h, readAgain } = ALERT_WORDS[language];
  if (!isAboutEndpoint(notification)) return unacknowledged;
  const { kind, endpointUrl, deactivateAt } = notification;
  const isStill = isStillSo(notification, endpoints);
  if (endpointUrl === null || deactivateAt === null) return isStill ? unread24h : readAgain;
  if (!isStill) return past[kind](shortUrl(endpointUrl));
  return kinds[kind](shortUrl(endpointUrl), format.moment(deactivateAt, now));
}

/** Whether an alert about an endpoint still applies. */
function isStillSo(
  { kind, endpointId, createdAt }: NotificationRow & EndpointNotification,
  endpoints: readonly WebhookEndpointRow[],
): boolean {
  const endpoint = endpoints.find(({ id }) => id === endpointId);
  const isCorrected = (endpoint?.correctedAt ?? createdAt) > createdAt;
  return !isCorrected && endpoint?.status === (kind === 'endpoint_failing' ? 'failing' : 'deactivated');
}

function mailOf({ language }: View, { mail }: NotificationRow): string | undefined {
  const words: Partial<Record<MailState, string>> = ALERT_WORDS[language].mail;
  return words[mail];
}

/** A link to the endpoint, or to the appointment for people who may see it. */
function lookLink(
  { language, session }: View,
  { id, endpointId, appointmentId }: NotificationRow,
): Html | null {
  const { look, lookAtAppointment } = ALERT_WORDS[language];
  if (endpointId !== null)
    return html`<a id="look-${id}" href="/integrations/endpoints/${endpointId}">${look}</a>`;
  if (!mayUse(session, 'appointments')) return null;
  return html`<a id="look-${id}" href="/appointments/${appointmentId}">${lookAtAppointment}</a>`;
}

function markAsRead(view: View, { id }: NotificationRow): Html {
  const { read } = ALERT_WORDS[view.language];
  const fields = html`<input type="hidden" name="to" value="${view.address}" />
    <button id="read-${id}" class="link">${read}</button>`;
  return form(view, { action: `${ALERTS}/${id}/read` }, fields);
}
