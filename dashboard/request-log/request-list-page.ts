import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import type { LoggedRequest } from '../../db/requests/request-log.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, instant, live, nextPage, table, type TableRow, type Tone } from '../layout/components.ts';
import { chips, narrowed, searchField, SOUGHT, type Chip } from '../layout/narrowing.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { ERROR_MEANINGS } from './error-meanings.ts';
import { REQUEST_WORDS } from './words.ts';

export const REQUESTS = '/integrations/requests';

/** In place of a code of the API: refused for whatever reason. */
export const ANY_REFUSAL = 'any';

export interface RequestList {
  /** Of the clinic, the last used first. */
  keys: readonly ApiKeyRow[];
  /** Whose requests are shown; null when there is none. */
  keyId: string | null;
  requests: readonly LoggedRequest[];
  /** Of the next page. */
  cursor: string | null;
  query: URLSearchParams;
}

/** Later pages stand still. */
const REFRESH_SECONDS = 10;
/** Others are looked up by their name. */
const MOST_KEY_CHIPS = 8;

export function requestListPage(view: View, list: RequestList): Page {
  const { intro, heads, none, noKeys, next } = REQUEST_WORDS[view.language];
  const title = FRAME_WORDS[view.language].sections.requests;
  const { keys, requests, query, cursor } = list;
  const rows = table({
    caption: title,
    heads: [heads.at, heads.request, heads.answer, heads.took],
    rows: requests.map((request) => requestRow(view, request, list)),
    empty: keys.length === 0 ? noKeys : none,
  });
  const seconds = query.has('cursor') ? null : REFRESH_SECONDS;
  return {
    title,
    body: html`<p>${intro}</p>
      ${keys.length > 0 && narrowing(view, list)}
      ${live('requests', seconds, html`${rows} ${nextPage(query, cursor, next)}`)}`,
  };
}

function narrowing({ language }: View, { keys, keyId, query }: RequestList): Html {
  const words = REQUEST_WORDS[language];
  const ofKey = keys
    .filter(({ id }, at) => at < MOST_KEY_CHIPS || id === keyId)
    .map(({ id, name }): Chip => ({
      words: name,
      isChosen: id === keyId,
      address: id === keyId ? null : narrowed(REQUESTS, query, { keyId: id, [SOUGHT]: null, cursor: null }),
    }));
  const error = query.get('error') ?? '';
  const answers = [...new Set([ANY_REFUSAL, error])].filter(Boolean).map((code): Chip => ({
    words: code === ANY_REFUSAL ? words.refused : code,
    isChosen: code === error,
    address: narrowed(REQUESTS, query, { error: code === error ? null : code, cursor: null }),
  }));
  return html`${searchField({
      action: REQUESTS,
      query: new URLSearchParams(),
      label: words.search,
      hint: words.searchHint,
      button: words.find,
    })}
    <div class="narrowing">${chips(words.key, ofKey)} ${chips(words.answer, answers)}</div>`;
}

function requestRow({ language, format }: View, request: LoggedRequest, list: RequestList): TableRow {
  const { id, method, route, status, error, durationMs, fields, wrongFields } = request;
  const words = REQUEST_WORDS[language];
  const at = instantOfId(id);
  // What a code means is said once, where it is read first.
  const isFirst = list.requests.find((other) => other.error === error) === request;
  return {
    cells: [
      instant(at, `${format.shortDay(at)}, ${format.timeWithSeconds(at)}`),
      html`<code>${method} ${route}</code>
        ${fields.length > 0 && html`<span class="under">${words.fields}: <code>${fields.join(', ')}</code></span>`}
        <span class="under">${words.id} <code>${id}</code></span>`,
      html`${badge(toneOf(status), String(status))}
      ${error && html`<a href="${narrowed(REQUESTS, list.query, { error, cursor: null })}"><code>${error}</code></a>`}
      ${wrongFields.length > 0 && html`<span class="under">${words.wrong}: <code>${wrongFields.join(', ')}</code></span>`}
      ${error && isFirst && html`<span class="under sentence">${ERROR_MEANINGS[language][error]}</span>`}`,
      format.duration(durationMs),
    ],
  };
}

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}
