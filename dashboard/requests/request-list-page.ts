import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { LoggedRequest } from '../../db/requests/request-log.ts';
import { ERROR_STATUS } from '../../domain/error-codes.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, instant, live, nextPage, table, type TableRow, type Tone } from '../layout/components.ts';
import { choice } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { ERROR_MEANINGS } from './error-meanings.ts';
import { REQUEST_WORDS } from './words.ts';

export interface RequestList {
  keys: readonly ApiKeyRow[];
  /** Whose requests are shown; null when there is no key. */
  keyId: string | null;
  requests: readonly LoggedRequest[];
  /** Of the next page. */
  cursor: string | null;
  query: URLSearchParams;
}

/** Later pages stand still. */
const REFRESH_SECONDS = 10;

export function requestListPage(view: View, list: RequestList): Page {
  const { intro, heads, none, noKeys, next } = REQUEST_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.requests;
  const rows = table({
    caption: title,
    heads: [heads.at, heads.request, heads.answer, heads.meaning, heads.took],
    rows: list.requests.map((request) => requestRow(view, request)),
    empty: list.keyId === null ? noKeys : none,
  });
  const seconds = list.query.has('cursor') ? null : REFRESH_SECONDS;
  return {
    title,
    body: html`<p>${intro}</p>
      ${list.keyId !== null && filterForm(view, list)}
      ${live('requests', seconds, html`${rows} ${nextPage(list.query, list.cursor, next)}`)}`,
  };
}

function filterForm({ language }: View, { keys, keyId, query }: RequestList): Html {
  const words = REQUEST_WORDS[language];
  const errors = Object.keys(ERROR_STATUS).map((code) => ({ value: code, label: code }));
  return html`<form class="filters" action="/integrations/requests">
    ${choice({
      name: 'keyId',
      label: words.key,
      value: keyId ?? '',
      options: keys.map(({ id, name }) => ({ value: id, label: name })),
    })}
    ${choice({
      name: 'error',
      label: words.error,
      value: query.get('error') ?? '',
      options: [{ value: '', label: words.anyAnswer }, ...errors],
    })}
    <p class="actions"><button class="second">${words.show}</button></p>
  </form>`;
}

function requestRow({ language, format }: View, request: LoggedRequest): TableRow {
  const { id, method, route, status, error, durationMs } = request;
  const at = instantOfId(id);
  return {
    cells: [
      html`${instant(at, `${format.shortDay(at)}, ${format.timeWithSeconds(at)}`)}`,
      html`<code>${method} ${route}</code>
        <span class="under">${REQUEST_WORDS[language].id} <code>${id}</code></span>`,
      badge(toneOf(status), String(status)),
      error && html`${ERROR_MEANINGS[language][error]} <span class="under"><code>${error}</code></span>`,
      format.duration(durationMs),
    ],
  };
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}
