import type { CallNumberVault } from '../../adapters/call-numbers.ts';
import type { CallRow } from '../../db/entities/call.entity.ts';
import {
  CALL_OUTCOMES,
  callDurationSeconds,
  type CallOutcome,
  type CallStatus,
} from '../../domain/calls/call.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, live, nextPage, table } from '../layout/components.ts';
import { choice, field } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { CALL_WORDS } from './words.ts';

export interface CallList {
  calls: readonly CallRow[];
  /** Of the next page. */
  cursor: string | null;
  query: URLSearchParams;
  numbers: CallNumberVault;
}

/** Older pages stand still. */
const REFRESH_SECONDS = 15;

export function callListPage(view: View, { calls, cursor, query, numbers }: CallList): Page {
  const words = CALL_WORDS[view.language];
  const { heads } = words;
  const title = FRAME_WORDS[view.language].sections.calls;
  const rows = table({
    caption: title,
    heads: [heads.start, heads.caller, heads.lasted, heads.outcome, heads.words],
    rows: calls.map((call) => ({
      cells: [
        html`<a id="call-${call.id}" href="/calls/${call.id}">${view.format.dateTime(call.startedAt)}</a>`,
        numbers.show(call).fromNumber ?? words.unreadable,
        lasted(call, view),
        callOutcome(call, view),
        call.transcriptionWordCount === null ? '–' : view.format.number(call.transcriptionWordCount),
      ],
    })),
    empty: words.none,
  });
  return {
    title,
    body: html`${filters(view, query)}
    ${live('calls', query.has('cursor') ? null : REFRESH_SECONDS, html`${rows} ${nextPage(query, cursor, words.next)}`)}`,
  };
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

/** 2:05, in minutes and seconds. */
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
  if (outcome === null) return badge('waiting', statuses[status]);
  return badge(outcome === 'booking_created' ? 'good' : 'idle', outcomes[outcome]);
}
