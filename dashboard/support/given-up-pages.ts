import { z } from 'zod';
import { resendGivenUp } from '../../commands/webhooks/resend-given-up.ts';
import { findNewestDoing } from '../../db/audit/last-doing.ts';
import { findClinics, type DeskClinic } from '../../db/support/find-clinics.ts';
import { findGivenUp, type GivenUp } from '../../db/support/given-up.ts';
import { receivesEvents } from '../../domain/webhooks/delivery-status.ts';
import { html, type Html } from '../../pages/html.ts';
import { notice, table } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { supportPage, type Page, type PageRequest, type PageRoute } from '../page-request.ts';
import { endpointBadge } from '../webhooks/endpoints/endpoint-state.ts';
import { clinicLink, clinicTime, hostOf } from './clinic-view.ts';
import { DESK_WORDS } from './desk-words.ts';

const GIVEN_UP = '/support/given-up';

const DAY_MS = 86_400_000;
/** Bodies are kept so long at least; older events are rarely worth sending. */
const DAYS = 30;

const clinicField = z.guid().nullable().catch(null);
const shownField = z.coerce.number().int().min(0).max(8.64e15);

/** What never arrived, of a clinic or of all: shown first, then sent again together. */
export function givenUpPages(): PageRoute[] {
  return [
    supportPage('GET', GIVEN_UP, async (request) => givenUpPage(request)),
    supportPage('POST', GIVEN_UP, async ({ form: sent, view, context, read, write }) => {
      const tenantId = clinicField.parse(sent.get('clinic') || null);
      // What came about after the page was made was not shown on it.
      const until = new Date(shownField.catch(view.now.getTime()).parse(sent.get('shown')));
      const seen = sent.get('seen') ?? (await read(findNewestDoing));
      const wanted = { tenantId, ...scopeUntil(until) };
      const found = (await read((em) => findGivenUp(em, wanted))).filter(isReceiving);
      let deliveries = 0;
      for (const { endpointId, tenantId: owner } of found)
        deliveries += await write((em) =>
          resendGivenUp(em, { ...scopeUntil(until), endpointId, tenantId: owner, seen }, context),
        );
      const of = tenantId === null ? '' : `&clinic=${tenantId}`;
      return { to: `${GIVEN_UP}?sent=${deliveries}${of}` };
    }),
  ];
}

function scopeUntil(until: Date) {
  return { since: new Date(until.getTime() - DAYS * DAY_MS), until };
}

function isReceiving({ status }: GivenUp): boolean {
  return receivesEvents(status);
}

async function givenUpPage({ query, view, read }: PageRequest): Promise<Page> {
  const tenantId = clinicField.parse(query.get('clinic'));
  const { found, clinics, seen } = await read(async (em) => {
    const newest = await findNewestDoing(em);
    const endpoints = await findGivenUp(em, { tenantId, ...scopeUntil(view.now) });
    const ids = endpoints.map((each) => each.tenantId);
    return { found: endpoints, clinics: await findClinics(em, ids), seen: newest };
  });
  const { givenUp: words } = DESK_WORDS[view.language];
  const sent = /^\d{1,7}$/.exec(query.get('sent') ?? '')?.[0];
  return {
    title: words.title,
    body: html`${sent !== undefined && notice('good', words.sent(Number(sent), view.format.number(Number(sent))))}
      <p>${words.text}</p>
      ${endpointTable(view, found, clinics)}
      ${resendForm(view, found.filter(isReceiving), { tenantId, seen })}`,
  };
}

function endpointTable(
  view: View,
  found: readonly GivenUp[],
  clinics: ReadonlyMap<string, DeskClinic>,
): Html {
  const { heads, givenUp: words } = DESK_WORDS[view.language];
  const rows = found.flatMap((endpoint) => {
    const clinic = clinics.get(endpoint.tenantId);
    if (!clinic) return [];
    const { endpointId, url, events, oldest } = endpoint;
    return [
      {
        cells: [
          clinicLink(clinic),
          html`<a href="/support/deliveries?endpoint=${endpointId}">${hostOf(url)}</a>`,
          html`${endpointBadge(endpoint, view)}
          ${!isReceiving(endpoint) && html`<span class="under">${words.isOff}</span>`}`,
          view.format.number(events),
          clinicTime(view, clinic, oldest),
        ],
      },
    ];
  });
  return table({
    caption: words.title,
    heads: [heads.clinic, heads.host, heads.status, words.events, words.oldest],
    rows,
    empty: words.none,
  });
}

function resendForm(
  view: View,
  found: readonly GivenUp[],
  { tenantId, seen }: { tenantId: string | null; seen: string },
): Html | null {
  if (found.length === 0) return null;
  const { givenUp: words } = DESK_WORDS[view.language];
  const events = found.reduce((sum, endpoint) => sum + endpoint.events, 0);
  const fields = html`<input type="hidden" name="clinic" value="${tenantId}" />
    <input type="hidden" name="shown" value="${view.now.getTime()}" />
    <input type="hidden" name="seen" value="${seen}" />
    <button>${words.resend(events, view.format.number(events))}</button>`;
  return form(view, { action: GIVEN_UP, className: 'actions' }, fields);
}
