import { findNewestDoing } from '../../db/audit/audit-events.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { findClinics, type DeskClinic } from '../../db/support/desk-search.ts';
import { findStuckEndpoints } from '../../db/support/stuck-endpoints.ts';
import { findUndelivered, type UndeliveredEvents } from '../../db/support/undelivered.ts';
import { findAnswers, type AnswersById } from '../../db/webhooks/endpoints/endpoint-answers.ts';
import { countWaitingForRetry } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { receivesEvents } from '../../domain/webhooks/endpoint-status.ts';
import { html, type Html } from '../../pages/html.ts';
import { table } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { endpointBadge, hostOf } from '../webhooks/endpoints/endpoint-state.ts';
import { clinicLink, clinicTime } from './clinic-times.ts';
import { DESK_WORDS } from './desk-words.ts';

export const UNDELIVERED = '/support/given-up';
export const STUCK = '/support/stuck';

const DAY_MS = 86_400_000;
/**
 * The days that the page covers: bodies are stored for at least this long, and older events are rarely worth resending.
 */
const DAYS = 30;

export function scopeUntil(until: Date) {
  return { since: new Date(until.getTime() - DAYS * DAY_MS), until };
}

export function isReceiving({ status, isClinicCanceled }: UndeliveredEvents): boolean {
  return receivesEvents(status) && !isClinicCanceled;
}

/** Undelivered events, shown before resending. */
export interface ShownUndelivered {
  /** The clinic; null for all clinics. */
  tenantId: string | null;
  endpoints: readonly UndeliveredEvents[];
  clinics: ReadonlyMap<string, DeskClinic>;
  answers: AnswersById;
  /** Whether deliveries wait for a retry. */
  isWaiting: boolean;
  /** The newest entry of the activity log at that time. */
  seen: string;
}

export async function findShownUndelivered(
  em: EntityManager,
  tenantId: string | null,
  { now }: View,
): Promise<ShownUndelivered> {
  const seen = await findNewestDoing(em);
  const endpoints = await findUndelivered(em, { tenantId, ...scopeUntil(now) });
  const ids = endpoints.map((each) => each.tenantId);
  const endpointIds = endpoints.map(({ endpointId }) => endpointId);
  return {
    tenantId,
    endpoints,
    clinics: await findClinics(em, ids),
    answers: await findAnswers(em, endpointIds, now),
    // Said only when nothing is listed.
    isWaiting: endpoints.length === 0 && (await hasWaiting(em, tenantId)),
    seen,
  };
}

async function hasWaiting(em: EntityManager, tenantId: string | null): Promise<boolean> {
  if (tenantId === null) return (await findStuckEndpoints(em, 1)).length > 0;
  return (await countWaitingForRetry(em, tenantId, 1)).size > 0;
}

/** Each endpoint with its undelivered events, and one button that resends all. */
export function undeliveredPart(view: View, shown: ShownUndelivered): Html {
  return html`${endpointTable(view, shown)} ${resendForm(view, shown)}`;
}

function endpointTable(
  view: View,
  { endpoints, clinics, answers, tenantId, isWaiting }: ShownUndelivered,
): Html {
  const { heads, undelivered: words } = DESK_WORDS[view.language];
  const isOfAll = tenantId === null;
  const rows = endpoints.flatMap((endpoint) => {
    const clinic = clinics.get(endpoint.tenantId);
    if (!clinic) return [];
    const { endpointId, url, events, oldest } = endpoint;
    const others = [
      html`<a href="/support/deliveries?endpoint=${endpointId}">${hostOf(url)}</a>`,
      html`${endpointBadge(endpoint, answers.get(endpointId), view)}
      ${!isReceiving(endpoint) && html`<span class="under">${endpoint.isClinicCanceled ? words.isCanceled : words.isOff}</span>`}`,
      view.format.number(events),
      clinicTime(view, clinic, oldest),
    ];
    return [{ cells: isOfAll ? [clinicLink(clinic), ...others] : others }];
  });
  return table({
    caption: words.title,
    heads: [...(isOfAll ? [heads.clinic] : []), heads.host, heads.status, words.events, words.oldest],
    rows,
    empty: isWaiting ? html`${words.noneYet} <a href="${STUCK}">${words.waiting}</a>` : words.none,
  });
}

function resendForm(view: View, { endpoints, tenantId, seen }: ShownUndelivered): Html | null {
  const found = endpoints.filter(isReceiving);
  if (found.length === 0) return null;
  const { undelivered: words } = DESK_WORDS[view.language];
  const events = found.reduce((sum, endpoint) => sum + endpoint.events, 0);
  const fields = html`<input type="hidden" name="clinic" value="${tenantId}" />
    <input type="hidden" name="shown" value="${view.now.getTime()}" />
    <input type="hidden" name="seen" value="${seen}" />
    <button>${words.resend(events, view.format.number(events))}</button>`;
  return form(view, { action: UNDELIVERED, className: 'actions' }, fields);
}
