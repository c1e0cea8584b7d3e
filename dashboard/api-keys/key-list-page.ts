import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { html } from '../../pages/html.ts';
import { instant, live, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { keyName, keyRights, keyState } from './key-state.ts';
import { KEY_WORDS } from './words.ts';

export interface KeyList {
  keys: readonly ApiKeyRow[];
  /** The cursor of the next page. */
  cursor: string | null;
  query: URLSearchParams;
  mode: ServiceMode;
}

/** How often the first page refreshes; the others do not. */
const REFRESH_SECONDS = 30;

export function keyListPage(view: View, { keys, cursor, query, mode }: KeyList): Page {
  const words = KEY_WORDS[view.language];
  const { heads } = words;
  const title = FRAME_WORDS[view.language].sections.keys;
  const rows = table({
    caption: title,
    heads: [heads.name, heads.key, heads.may, heads.lastUsed, heads.state],
    rows: keys.map((key) => ({
      cells: [
        html`<a id="key-${key.id}" href="/integrations/keys/${key.id}">${key.name}</a>`,
        html`<code>${keyName(key, mode)}</code>`,
        keyRights(key, view),
        lastUse(key, view),
        keyState(key, view),
      ],
    })),
    empty: words.none,
  });
  return {
    title,
    body: html`<p>${words.intro[mode]}</p>
      <p class="actions"><a class="button" href="/integrations/keys/new">${words.newKey}</a></p>
      ${live('keys', query.has('cursor') ? null : REFRESH_SECONDS, html`${rows} ${nextPage(query, cursor, words.next)}`)}`,
  };
}

function lastUse({ lastUsedAt }: ApiKeyRow, { format, language, now }: View) {
  if (!lastUsedAt) return KEY_WORDS[language].neverUsed;
  return instant(lastUsedAt, format.relative(lastUsedAt, now));
}
