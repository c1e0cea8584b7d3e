import type { AgendaEntry } from '../../../db/appointments/lists/agenda.ts';
import { html } from '../../../pages/html.ts';
import { live, nextPage } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { agendaTable } from '../agenda-table.ts';
import type { AskedDay } from './asked-day.ts';
import { dateBar, dayTitle } from './date-bar.ts';
import { DAY_WORDS } from './words.ts';

/** Later pages stand still. */
const REFRESH_SECONDS = 15;

export interface DayList {
  entries: readonly AgendaEntry[];
  /** Of the next page. */
  cursor: string | null;
  query: URLSearchParams;
}

/** The day as a list by time, with everything that was cancelled or moved. */
export function listPage(view: View, asked: AskedDay, { entries, cursor, query }: DayList): Page {
  const words = DAY_WORDS[view.language];
  const list = agendaTable(view, entries, { caption: words.caption, withProfessional: true });
  const seconds = query.has('cursor') ? null : REFRESH_SECONDS;
  return {
    title: dayTitle(view, asked),
    body: html`${dateBar(view, asked, null)}
    ${live('day', seconds, html`${list} ${nextPage(query, cursor, words.later)}`)}`,
  };
}
