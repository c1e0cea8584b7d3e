import { z } from 'zod';
import type { AuditEventRow } from '../../db/entities/audit-event.entity.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { actorName } from '../language/actor-name.ts';
import { instant, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { clinicPage, type PageRoute } from '../serving/page-request.ts';
import { findNamedEvents, linkMaker, type NamedEvent } from './audit-events.ts';
import { moreOf } from './event-words.ts';
import { AUDIT_WORDS } from './words.ts';

/** Entries a page. */
export const PAGE = 50;
const place = z.guid();

/** The page Settings → Activity log. */
export function auditPages(): PageRoute[] {
  return [
    clinicPage('GET', '/settings/audit', 'audit', async ({ tenantId, query, view, read }) => {
      const before = place.safeParse(query.get('cursor')).data;
      const found = await read((em) => findNamedEvents(em, tenantId, { before, limit: PAGE + 1 }));
      const body = html`<p>${AUDIT_WORDS[view.language].intro}</p>
        ${auditTable(view, found.slice(0, PAGE))} ${nextEvents(view, query, found)}`;
      return { title: FRAME_WORDS[view.language].sections.audit, body };
    }),
  ];
}

/** The link to the next page. @param found one more than a page shows, if there are more */
export function nextEvents(view: View, query: URLSearchParams, found: readonly NamedEvent[]): Html | null {
  const cursor = found.length > PAGE ? (found[PAGE - 1]?.event.id ?? null) : null;
  return nextPage(query, cursor, AUDIT_WORDS[view.language].next);
}

export function auditTable(view: View, events: readonly NamedEvent[]): Html {
  const { heads, none, actions } = AUDIT_WORDS[view.language];
  return table({
    caption: FRAME_WORDS[view.language].sections.audit,
    heads: [heads.when, heads.who, heads.what, heads.details],
    rows: events.map((named) => ({
      cells: [
        instant(named.event.at, view.format.dateTime(named.event.at)),
        doer(named, view),
        actions[named.event.action],
        detailsOf(view, named),
      ],
    })),
    empty: none,
  });
}

/** The name of the actor; for a portal link, with the key that created it. */
function doer({ event, actors }: NamedEvent, { language }: View): Part {
  const maker = linkMaker(event);
  return html`${actorName(event.actor, actors, language)}
  ${maker !== null && html`<span class="under">${actorName(maker, actors, language)}</span>`}`;
}

/** The page of a subject, by the first part of the action. */
const PLACES: Partial<Record<string, string>> = {
  api_key: '/integrations/keys',
  endpoint: '/integrations/endpoints',
  delivery: '/integrations/deliveries',
  professional: '/settings/professionals',
  service: '/settings/services',
  busy_block: '/blocks',
  recording: '/calls',
};

/** The subject, by name if it has one, and details. */
function detailsOf(view: View, { event, subjectName }: NamedEvent): Part {
  // The support desk has other pages.
  const place = mayUse(view.session, 'audit') ? placeOf(event) : null;
  const subject = subjectName ?? (place && AUDIT_WORDS[view.language].show);
  const more = moreOf(view, event);
  return html`${place ? html`<a href="${place}/${event.subjectId}">${subject}</a>` : subject}
  ${more.map((words) => html`<span class="under">${words}</span>`)}`;
}

/** The address of the subject's page; null when it has none. */
function placeOf({ action, subjectId }: AuditEventRow): string | null {
  const [what = '', doing = ''] = action.split('.');
  return subjectId === null || doing === 'deleted' ? null : (PLACES[what] ?? null);
}
