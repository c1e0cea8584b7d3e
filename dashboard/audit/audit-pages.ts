import { z } from 'zod';
import { listAuditEvents } from '../../db/audit/list-audit-events.ts';
import type { AuditEventRow } from '../../db/entities/audit-event.entity.ts';
import { findActorNames } from '../../db/people/actor-names.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { actorName } from '../language/actor-name.ts';
import { instant, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { clinicPage, type PageRoute } from '../page-request.ts';
import { AUDIT_WORDS } from './words.ts';

const PAGE = 50;
const place = z.guid();

/** Settings → Who did what. */
export function auditPages(): PageRoute[] {
  return [
    clinicPage('GET', '/settings/audit', 'audit', async ({ tenantId, query, view, read }) => {
      const before = place.safeParse(query.get('cursor')).data;
      const { found, names } = await read(async (em) => {
        const events = await listAuditEvents(em, { tenantId, before, limit: PAGE + 1 });
        return {
          found: events,
          names: await findActorNames(
            em,
            tenantId,
            events.flatMap(({ actor, subjectId, details }) => [
              actor,
              linkMaker(details),
              `person:${subjectId}`,
              `key:${subjectId}`,
            ]),
          ),
        };
      });
      const events = found.slice(0, PAGE);
      const cursor = found.length > PAGE ? (events.at(-1)?.id ?? null) : null;
      const { intro, next } = AUDIT_WORDS[view.language];
      const body = html`<p>${intro}</p>
        ${auditTable(view, events, names)} ${nextPage(query, cursor, next)}`;
      return { title: FRAME_WORDS[view.language].sections.audit, body };
    }),
  ];
}

function auditTable(view: View, events: readonly AuditEventRow[], names: ReadonlyMap<string, string>): Html {
  const { heads, none, actions } = AUDIT_WORDS[view.language];
  return table({
    caption: FRAME_WORDS[view.language].sections.audit,
    heads: [heads.when, heads.who, heads.what, heads.details],
    rows: events.map((event) => ({
      cells: [
        instant(event.at, view.format.dateTime(event.at)),
        doer(event, names, view),
        actions[event.action],
        detailsOf(event, names),
      ],
    })),
    empty: none,
  });
}

/** By a portal link with the key that made it. */
function doer(
  { actor, details }: AuditEventRow,
  names: ReadonlyMap<string, string>,
  { language }: View,
): Part {
  const maker = linkMaker(details);
  return html`${actorName(actor, names, language)}
  ${maker !== null && html`<span class="under">${actorName(maker, names, language)}</span>`}`;
}

function linkMaker({ linkMadeBy }: AuditEventRow['details']): string | null {
  return typeof linkMadeBy === 'string' ? linkMadeBy : null;
}

/** Where a thing has its page, by what stands before the dot of an action. */
const PLACES: Partial<Record<string, string>> = {
  api_key: '/integrations/keys',
  endpoint: '/integrations/endpoints',
  delivery: '/integrations/deliveries',
  professional: '/settings/professionals',
  service: '/settings/services',
  recording: '/calls',
};

/** What it was done to, by name where it has one, and which of its fields. */
function detailsOf({ action, subjectId, details }: AuditEventRow, names: ReadonlyMap<string, string>): Part {
  const name = names.get(`key:${subjectId}`) ?? names.get(`person:${subjectId}`);
  const place = PLACES[action.split('.')[0] ?? ''];
  const subject = name ?? (place && html`<code>${subjectId}</code>`);
  const { fields } = details;
  return html`${place ? html`<a href="${place}/${subjectId}">${subject}</a>` : subject}
  ${Array.isArray(fields) && fields.length > 0 && html`<span class="under">${fields.map(String).join(', ')}</span>`}`;
}
