import type { PatientAccess } from '../../commands/patient-reads/patient-accesses.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { actorName } from '../language/actor-name.ts';
import { instant, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { READ_WORDS } from './words.ts';

export const READS = '/settings/reads';

export interface ReadListOptions {
  /** The appointment whose entries are shown; null for all entries. */
  appointmentId: string | null;
  query: URLSearchParams;
  /** The cursor of the next page. */
  cursor: string | null;
}

/** The most links per entry; the others are only counted. */
const MAX_LINKS = 3;

export function readListPage(
  view: View,
  seeings: readonly PatientAccess[],
  { appointmentId, query, cursor }: ReadListOptions,
): Page {
  const { intro, ofOne, all, heads, none, next, actions } = READ_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.reads;
  const names = new Map(
    seeings.flatMap(({ actor, actorName: name }): [string, string][] =>
      name === null ? [] : [[actor, name]],
    ),
  );
  const list = table({
    caption: title,
    heads: [heads.when, heads.who, heads.what, heads.whom],
    rows: seeings.map((seeing) => ({
      cells: [
        instant(seeing.at, view.format.dateTime(seeing.at)),
        actorName(seeing.actor, names, view.language),
        actions[seeing.action],
        whomOf(view, seeing),
      ],
    })),
    empty: none,
  });
  const narrowed = html`<p>
    ${ofOne} <a href="/appointments/${appointmentId}">${READ_WORDS[view.language].appointment}</a>.
    <a href="${READS}">${all}</a>
  </p>`;
  return {
    title,
    body: html`<p>${intro}</p>
      ${appointmentId !== null && narrowed} ${list} ${nextPage(query, cursor, next)}`,
  };
}

/** Links to the patients, without their names. Following a link is recorded as access. */
function whomOf(view: View, { action, ids }: PatientAccess): Part {
  const { appointment, call, more } = READ_WORDS[view.language];
  const isCall = ['call.read', 'transcript.read', 'recording.link_issued'].includes(action);
  const links = ids
    .slice(0, MAX_LINKS)
    .map(
      (id): Html =>
        html`<a href="/${isCall ? 'calls' : 'appointments'}/${id}">${isCall ? call : appointment}</a> `,
    );
  const rest = ids.length - links.length;
  return html`${links} ${rest > 0 && more(view.format.number(rest))}`;
}
