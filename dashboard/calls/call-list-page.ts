import type { CallRow } from '../../db/entities/calls/call.entity.ts';
import {
  CALL_OUTCOMES,
  callDurationSeconds,
  type CallOutcome,
  type CallStatus,
} from '../../domain/calls/call.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, instant, live, nextPage, table } from '../layout/components.ts';
import { choice, field } from '../layout/form.ts';
import { chips } from '../layout/narrowing.ts';
import { upTo, type View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { callBackCell } from './call-back-part.ts';
import { callerName, isWithheld, nextVisit, phoneLink, type CallOfCaller } from './caller.ts';
import { CALL_WORDS } from './words.ts';

export interface CallRows {
  calls: readonly CallOfCaller[];
  /** Names of staff who called back, by actor. */
  names: ReadonlyMap<string, string>;
}

export interface CallList extends CallRows {
  /** The clinic's calls to return, counted up to `MAX_TO_RETURN`. */
  toReturn: number;
  /** The cursor of the next page. */
  cursor: string | null;
  query: URLSearchParams;
  /** A confirmation of what was just done. */
  done: Html | null;
}

/** The list of calls to return. */
export const TO_RETURN = '/calls?todo=call-back';

/** Higher numbers are not shown. */
export const MAX_TO_RETURN = 100;

/** How often the first page refreshes; the others do not. */
const REFRESH_SECONDS = 15;

export function isCallToReturn(query: URLSearchParams): boolean {
  return query.get('todo') === 'call-back';
}

export function callListPage(view: View, list: CallList): Page {
  const words = CALL_WORDS[view.language];
  const { query, cursor, done } = list;
  const isToReturn = isCallToReturn(query);
  const rows =
    list.calls.length > 0
      ? callTable(view, list)
      : html`<p class="empty">${isToReturn ? words.noneToReturn : words.none}</p>`;
  const shown = html`${whichCalls(view, list)} ${rows} ${nextPage(query, cursor, words.next)}`;
  return {
    title: FRAME_WORDS[view.language].sections.calls,
    body: html`${done} ${!isToReturn && filters(view, query)}
    ${live('calls', query.has('cursor') ? null : REFRESH_SECONDS, shown)}`,
  };
}

function whichCalls(view: View, { query, toReturn }: CallList): Html {
  const { heads, toReturn: words } = CALL_WORDS[view.language];
  const isChosen = isCallToReturn(query);
  const count = upTo(view, toReturn, MAX_TO_RETURN);
  return chips(heads.todo, [{ words: words(count), address: isChosen ? '/calls' : TO_RETURN, isChosen }]);
}

/** A table of calls with links to their pages. */
export function callTable(view: View, { calls, names }: CallRows): Html {
  const { heads } = CALL_WORDS[view.language];
  return table({
    caption: FRAME_WORDS[view.language].sections.calls,
    heads: [heads.caller, heads.start, heads.outcome, heads.lasted, heads.todo],
    rows: calls.map((whose) => {
      const { call } = whose;
      return {
        cells: [
          html`<a id="call-${call.id}" href="/calls/${call.id}">${callerName(view, whose)}</a>
            ${!isWithheld(whose) && html`<span class="under">${phoneLink(view, whose)}</span>`}
            <span class="under">${nextVisit(view, whose)}</span>`,
          instant(call.startedAt, view.format.moment(call.startedAt, view.now)),
          callOutcome(call, view),
          lasted(call, view),
          callBackCell(view, call, names) ?? '',
        ],
      };
    }),
    empty: '',
  });
}

function filters({ language }: View, query: URLSearchParams): Html {
  const { filters: words, outcomes } = CALL_WORDS[language];
  return html`<form class="filters" method="get" action="/calls">
    ${choice({
      name: 'outcome',
      label: words.outcome,
      value: query.get('outcome') ?? '',
      options: [
        { value: '', label: words.any },
        ...CALL_OUTCOMES.map((value) => ({ value, label: outcomes[value] })),
      ],
    })}
    ${field({ name: 'from', label: words.from, type: 'date', value: query.get('from') ?? '' })}
    ${field({ name: 'to', label: words.until, type: 'date', value: query.get('to') ?? '' })}
    <button class="second">${words.show}</button>
  </form>`;
}

/** The length of a call in minutes and seconds, such as 2:05. */
export function lasted(call: CallRow, { format }: View): string {
  const seconds = callDurationSeconds(call);
  if (seconds === null) return '–';
  return `${format.number(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

export function callOutcome(
  { outcome, status }: { outcome: CallOutcome | null; status: CallStatus },
  { language }: View,
): Html {
  const { outcomes, statuses } = CALL_WORDS[language];
  if (outcome === null) return badge('idle', statuses[status]);
  return badge(outcome === 'booking_created' ? 'confirmed' : 'idle', outcomes[outcome]);
}
