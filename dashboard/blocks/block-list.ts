import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import { instant, nextPage, table } from '../layout/components.ts';
import { choice, field } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { BLOCKS } from './block-form.ts';
import { CLINIC } from './read-block.ts';
import type { ShownBlock } from './shown-block.ts';
import { BLOCK_WORDS } from './words.ts';

export interface BlockList {
  blocks: readonly ShownBlock[];
  professionals: readonly ProfessionalRow[];
  /** Those that end on this day or later, 2026-03-05. */
  day: string;
  query: URLSearchParams;
  /** Of the next page. */
  cursor: string | null;
  /** Said after a change. */
  done: Html | null;
}

export function blockListPage(view: View, list: BlockList): Page {
  const words = BLOCK_WORDS[view.language];
  const whose = list.query.get('professional');
  const chosen = whose !== null && whose !== CLINIC ? `?professional=${encodeURIComponent(whose)}` : '';
  const title = FRAME_WORDS[view.language].sections.blocks;
  return {
    title,
    body: html`${list.done}
      <p>${words.list.text}</p>
      <p class="actions"><a class="button" href="${BLOCKS}/new${chosen}">${words.add}</a></p>
      ${filters(view, list)} ${blockTable(view, list.blocks, title)}
      ${nextPage(list.query, list.cursor, words.list.next)}`,
  };
}

function filters({ language }: View, { professionals, day, query }: BlockList): Html {
  const { list, clinic, whose } = BLOCK_WORDS[language];
  return html`<form class="filters" method="get" action="${BLOCKS}">
    ${field({ name: 'day', label: list.since, type: 'date', value: day })}
    ${choice({
      name: 'professional',
      label: whose,
      value: query.get('professional') ?? '',
      options: [
        { value: '', label: list.everybody },
        { value: CLINIC, label: clinic },
        ...professionals.map(({ id, name }) => ({ value: id, label: name })),
      ],
    })}
    <button class="second">${list.show}</button>
  </form>`;
}

/** Blocks by start, each leading to its page. */
export function blockTable({ language, format }: View, blocks: readonly ShownBlock[], caption: string): Html {
  const { list, clinic } = BLOCK_WORDS[language];
  const { heads } = list;
  return table({
    caption,
    heads: [heads.from, heads.to, heads.whose, heads.title],
    rows: blocks.map(({ id, startsAt, endsAt, professionalName, title }) => ({
      cells: [
        html`<a id="block-${id}" href="${BLOCKS}/${id}">${instant(startsAt, format.dateTime(startsAt))}</a>`,
        instant(endsAt, format.dateTime(endsAt)),
        professionalName ?? clinic,
        title ?? '–',
      ],
    })),
    empty: list.none,
  });
}
