import { z } from 'zod';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { listApiKeys } from '../../db/clinic/api-keys.ts';
import { findRequest, listRequests, type LoggedRequest } from '../../db/requests/request-log.ts';
import { ERROR_STATUS, type ErrorCode } from '../../domain/error-codes.ts';
import { errorCode } from '../../domain/named-enums.schema.ts';
import { SOUGHT, chips, narrowed, searchField, type Chip } from '../layout/narrowing.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute } from '../serving/page-request.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, instant, live, nextPage, table, type TableRow, type Tone } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { ERROR_MEANINGS } from './error-meanings.ts';
import { REQUEST_WORDS } from './words.ts';

const PAGE = 50;
/** The number of newest keys to choose from. */
export const MAX_KEYS = 100;

const id = z.guid();

/** Settings → Integrations → Requests. */
export function requestPages(): PageRoute[] {
  return [clinicPage('GET', REQUESTS, 'keys', listPage)];
}

async function listPage({ tenantId, query, view, read, context }: ClinicRequest): Promise<Page> {
  const place = { tenantId, query, now: context.now };
  const list = await read(async (em) => {
    const all = await listApiKeys(em, { tenantId, before: undefined, limit: MAX_KEYS });
    const keys = lastUsedFirst(all);
    const sought = (query.get(SOUGHT) ?? '').trim();
    const found = id.safeParse(sought).success ? await requestById(em, place, sought) : null;
    return { keys, ...(found ?? (await requestsOfKey(em, place, wantedRequests(query, keys)))) };
  });
  return requestListPage(view, { ...list, query });
}

interface Place {
  tenantId: string;
  query: URLSearchParams;
  now: Date;
}
type Found = Pick<RequestList, 'keyId' | 'requests' | 'cursor'>;

async function requestById(em: EntityManager, { tenantId, now }: Place, sought: string): Promise<Found> {
  const found = await findRequest(em, { tenantId, id: sought }, now);
  return { keyId: found?.keyId ?? null, requests: found ? [found] : [], cursor: null };
}

async function requestsOfKey(
  em: EntityManager,
  { tenantId, query, now }: Place,
  wanted: RequestLogQuery | null,
): Promise<Found> {
  if (wanted === null) return { keyId: null, requests: [], cursor: null };
  const page = { before: id.safeParse(query.get('cursor')).data, limit: PAGE + 1 };
  const found = await listRequests(em, { ...wanted, ...page, tenantId }, now);
  const cursor = found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null;
  return { keyId: wanted.keyId, requests: found.slice(0, PAGE), cursor };
}

interface RequestLogQuery {
  keyId: string;
  errors: ErrorCode[] | undefined;
}

/**
 * The requests to show: those of the key in the address, or else of the matching key that was used last; null when
 * there is none.
 */
export function wantedRequests(query: URLSearchParams, keys: readonly ApiKeyRow[]): RequestLogQuery | null {
  const [meant] = meantBy((query.get(SOUGHT) ?? '').trim(), lastUsedFirst(keys));
  const keyId = id.safeParse(query.get('keyId')).data ?? meant?.id ?? null;
  return keyId === null ? null : { keyId, errors: refusalsIn(query) };
}

function refusalsIn(query: URLSearchParams): ErrorCode[] | undefined {
  const wanted = query.get('error');
  if (wanted === ANY_REFUSAL) return Object.keys(ERROR_STATUS) as ErrorCode[];
  const code = errorCode.safeParse(wanted).data;
  return code && [code];
}

function lastUsedFirst(keys: readonly ApiKeyRow[]): ApiKeyRow[] {
  const usedAt = ({ lastUsedAt }: ApiKeyRow) => lastUsedAt?.getTime() ?? 0;
  return keys.toSorted((one, other) => usedAt(other) - usedAt(one));
}

/** The keys whose name contains the search text, or which start with it; all keys without a search. */
function meantBy(sought: string, keys: readonly ApiKeyRow[]): ApiKeyRow[] {
  const text = sought.toLowerCase();
  const beginning = text.replace(/^svc_(live|test)_/, '').split('_')[0] ?? '';
  return keys.filter(
    ({ name, publicId }) => name.toLowerCase().includes(text) || publicId.toLowerCase().startsWith(beginning),
  );
}

const REQUESTS = '/integrations/requests';

/** The filter value for any error. */
const ANY_REFUSAL = 'any';

interface RequestList {
  /** The clinic's keys, most recently used first. */
  keys: readonly ApiKeyRow[];
  /** The key whose requests are shown; null when there is none. */
  keyId: string | null;
  requests: readonly LoggedRequest[];
  /** The cursor of the next page. */
  cursor: string | null;
  query: URLSearchParams;
}

/** How often the first page refreshes; the others do not. */
const REFRESH_SECONDS = 10;
/** The most keys shown as links; the others are searched by name. */
const MAX_KEY_CHIPS = 8;

function requestListPage(view: View, list: RequestList): Page {
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
    .filter(({ id }, at) => at < MAX_KEY_CHIPS || id === keyId)
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
  // Explains each code once, at its first occurrence.
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
