import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { TEAM_WORDS } from './words.ts';

export interface ListExtras {
  /** Of the next page. */
  cursor: string | null;
  /** Said after a change. */
  saved: Html | null;
}

export function professionalListPage(
  view: View,
  professionals: readonly ProfessionalRow[],
  { cursor, saved }: ListExtras,
): Page {
  const words = TEAM_WORDS[view.language];
  const { heads } = words;
  const title = FRAME_WORDS[view.language].sections.team;
  return {
    title,
    body: html`${saved}
      <p class="actions"><a class="button" href="/settings/professionals/new">${words.add}</a></p>
      ${table({
        caption: title,
        heads: [heads.name, heads.specialty, heads.email, heads.state],
        rows: professionals.map(({ id, name, title: honorific, specialty, email, active }) => ({
          cells: [
            html`<a href="/settings/professionals/${id}">${honorific} ${name}</a>`,
            specialty,
            email ?? '–',
            active ? badge('good', words.active) : badge('idle', words.left),
          ],
        })),
        empty: words.none,
      })}
      ${nextPage(new URLSearchParams(), cursor, words.next)}`,
  };
}
