import type { UnacknowledgedEntry } from '../../../db/appointments/lists/unacknowledged.ts';
import { shownName } from '../../../domain/patients/erased-name.ts';
import { html, type Html } from '../../../pages/html.ts';
import { instant, live, nextPage, table } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { appointmentState } from '../appointment-state.ts';
import { APPOINTMENT_WORDS } from '../words.ts';
import { whyUnacknowledged } from './acknowledgement-line.ts';
import { UNACKNOWLEDGED_WORDS } from './words.ts';

export const UNACKNOWLEDGED = '/appointments/unacknowledged';

/** Appointments that began earlier are not listed. */
const DAYS_BACK = 7;

export function unacknowledgedSince(now: Date): Date {
  return new Date(now.getTime() - DAYS_BACK * 86_400_000);
}

/** Only the first page refreshes. */
const REFRESH_SECONDS = 30;

/** All appointments that are not in the practice software, by start, with the reasons. */
export function unacknowledgedPage(
  view: View,
  entries: readonly UnacknowledgedEntry[],
  { cursor, query }: { cursor: string | null; query: URLSearchParams },
): Page {
  const words = UNACKNOWLEDGED_WORDS[view.language];
  const list = html`${unacknowledgedTable(view, entries)} ${nextPage(query, cursor, words.next)}`;
  return {
    title: words.title,
    body: html`<p>${words.text}</p>
      ${live('unacknowledged', query.has('cursor') ? null : REFRESH_SECONDS, list)}`,
  };
}

export function unacknowledgedTable(view: View, entries: readonly UnacknowledgedEntry[]): Html {
  const { title, heads, none } = UNACKNOWLEDGED_WORDS[view.language];
  const { patient, professional, status } = APPOINTMENT_WORDS[view.language].heads;
  return table({
    caption: title,
    heads: [heads.time, patient, professional, status, heads.why],
    rows: entries.map((entry) => ({
      cells: [
        instant(entry.startsAt, view.format.dateTime(entry.startsAt)),
        html`<a id="unacknowledged-${entry.id}" href="/appointments/${entry.id}">
          ${shownName(entry.patientName)}
        </a>`,
        entry.professionalName,
        appointmentState(entry, view),
        whyUnacknowledged(view, entry),
      ],
    })),
    empty: none,
  });
}
