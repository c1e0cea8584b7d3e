import type { AppointmentStatus } from '../../domain/appointments/appointment-status.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import type { View } from './view.ts';
import { FRAME_WORDS } from './words.ts';

/** A state's colour, always shown with words: `waiting` and `bad` mean trouble. */
export type Tone = 'good' | 'waiting' | 'bad' | 'idle';

/** @param tone or an appointment's status, each of which has a colour of its own */
export function badge(tone: Tone | AppointmentStatus | 'late' | 'seen', words: string): Html {
  return html`<span class="badge ${tone}">${words}</span>`;
}

export function notice(tone: Tone, words: Part): Html {
  return html`<div class="notice ${tone}" role="status">${words}</div>`;
}

/** What was just done, with the form that undoes it. It stays in view while the page scrolls. */
export function doneNotice(words: string, undo: Html | null): Html {
  return html`<div class="notice good done" role="status"><span>${words}</span> ${undo}</div>`;
}

export interface LiveOptions {
  /** The address of the page, if it differs from the browser's. */
  address?: string;
  /** Other parts to refresh, by id. */
  alongside?: readonly string[];
}

/**
 * A part of the page that refreshes itself if scripts run.
 * @param id unique on the page
 * @param seconds null when the part will not change any more
 */
export function live(
  id: string,
  seconds: number | null,
  body: Part,
  { address = '', alongside = [] }: LiveOptions = {},
): Html {
  if (seconds === null) return html`<div id="${id}">${body}</div>`;
  return html`<div
    id="${id}"
    ${alongside.length > 0 && html`hx-select-oob="${alongside.map((other) => `#${other}`).join()}"`}
    hx-get="${address}"
    hx-trigger="every ${seconds}s"
    hx-select="#${id}"
    hx-swap="outerHTML"
  >
    ${body}
  </div>`;
}

export interface TableRow {
  cells: readonly Part[];
}

export interface TableOptions {
  /** The table's name, for screen readers. */
  caption: string;
  heads: readonly string[];
  rows: readonly TableRow[];
  /** What is shown instead of a table without rows. */
  empty: Part;
}

/** What says nothing without its head: a number, a time, or nothing. */
const NEEDS_HEAD = /^\s*(?:<a [^>]*>\s*)?(?:<time|[\d–])/;

/** A table that scrolls horizontally, also by keyboard. On a phone each row is a short list. */
export function table({ caption, heads, rows, empty }: TableOptions): Html {
  if (rows.length === 0) return html`<div class="empty">${empty}</div>`;
  return html`<div class="table rows" tabindex="0" role="group" aria-label="${caption}">
    <table>
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ cells }) =>
            html`<tr>
              ${cells.map((cell, at) => cellOf(html`${cell}`, at > 0 && heads[at]))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param head false in the first column */
function cellOf(cell: Html, head: string | false | undefined): Html {
  const isHeaded = NEEDS_HEAD.test(String(cell));
  return html`<td ${isHeaded && head && html`data-head="${head}"`}>${cell}</td>`;
}

/** A list of names and values. */
export function facts(pairs: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="facts">
    ${pairs.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Text with a copy button if scripts run. */
export function copyable({ language }: Pick<View, 'language'>, text: string): Html {
  return html`<div class="copyable">
    <pre tabindex="0"><code>${text}</code></pre>
    <button type="button" class="second scripted" data-copy>${FRAME_WORDS[language].copy}</button>
  </div>`;
}

/** An id, of which only the beginning is seen; all of it is copied, by the button or by hand. */
export function shortId({ language }: Pick<View, 'language'>, id: string): Html {
  return html`<span class="id"
    ><code>${id}</code
    ><button type="button" class="link scripted" data-copy>${FRAME_WORDS[language].copyId}</button></span
  >`;
}

/** A link to a list's next page; null when there is none. */
export function nextPage(query: URLSearchParams, cursor: string | null, words: string): Html | null {
  if (cursor === null) return null;
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return html`<p class="next"><a rel="next" href="?${next.toString()}">${words}</a></p>`;
}

export function instant(at: Date, words: string): Html {
  return html`<time datetime="${at.toISOString()}">${words}</time>`;
}
