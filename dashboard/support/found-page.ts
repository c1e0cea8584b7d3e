import type { Owned } from '../../db/clinic/find-owner.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts, shortId, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { clinicLink } from './clinic-times.ts';
import { DESK_WORDS } from './desk-words.ts';
import type { FoundList } from './found-lists.ts';
import { SUPPORT_WORDS } from './words.ts';

/** The results of the desk's search. @param found null before a search */
export function foundPage({ language }: View, found: Html | null): Page {
  const { title, hint } = DESK_WORDS[language].search;
  return {
    title,
    body:
      found ??
      html`<p class="soft">${hint.intro}</p>
        <ul class="soft">
          ${hint.kinds.map((kind) => html`<li>${kind}</li>`)}
        </ul>`,
  };
}

export function foundThings({ language }: View, found: readonly FoundList[]): Html {
  const lists = found.filter(({ rows }) => rows.length > 0);
  if (lists.length === 0) return html`<div class="empty">${DESK_WORDS[language].search.none}</div>`;
  return html`${lists.map(foundList)}`;
}

export function foundList({ title, heads, rows }: FoundList): Html {
  const linked = rows.map(({ address, cells: [first, ...others] }) => ({
    cells: [html`<a href="${address}">${first}</a>`, ...others],
  }));
  return html`<h2>${title}</h2>
    ${table({ caption: title, heads, rows: linked, empty: '' })}`;
}

/** A result without its own page at the support desk, with its clinic. */
export function ownedPart(view: View, { kind, id, tenantName, tenantId }: Owned): Html {
  const { search } = SUPPORT_WORDS[view.language];
  return html`<h2>${search.is[kind]}</h2>
    ${facts([
      ['id', shortId(view, id)],
      [
        search.clinic,
        html`${clinicLink({ id: tenantId, name: tenantName })}<br />${shortId(view, tenantId)}`,
      ],
    ])}`;
}
