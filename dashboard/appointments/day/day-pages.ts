import { listAgenda, type AgendaEntry } from '../../../db/appointments/lists/agenda.ts';
import { clinicHoursOf } from '../../../domain/clinic/hours/business-hours.ts';
import { cursorByTime } from '../../../domain/lists/cursor.schema.ts';
import {
  clinicPage,
  idsOf,
  type ClinicRequest,
  type Page,
  type PageRoute,
} from '../../serving/page-request.ts';
import { askedConfirmation, askedDay, DAY_ADDRESS, type AskedDay } from './asked-day.ts';
import { checkInPages, whatWasDone } from './check-in.ts';
import { dayPage } from './day-page.ts';
import { findDayCalendar } from './find-day-calendar.ts';
import { html } from '../../../pages/html.ts';
import { live, nextPage } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { agendaTable } from '../agenda-table.ts';
import { confirmationChips } from './confirmation-chips.ts';
import { dateBar, dayTitle } from './date-bar.ts';
import { DAY_WORDS } from './words.ts';

const PAGE = 100;

const dayCursor = cursorByTime('day', 'startsAt');

/** The clinic's day as a calendar or a list, or the week of one professional. */
export function dayPages(): PageRoute[] {
  return [clinicPage('GET', DAY_ADDRESS, 'appointments', showDay), ...checkInPages()];
}

async function showDay(request: ClinicRequest): Promise<Page> {
  const { tenantId, query, view, session, read, noteShown } = request;
  const asked = askedDay(query, view);
  if (asked.view === 'list') return showList(request, asked);
  const hours = clinicHoursOf(session.clinicConfig ?? {});
  const found = await read((em) => findDayCalendar(em, { tenantId, hours, asked, now: view.now }));
  for (const { visits } of found.columns) noteShown('appointment', idsOf(visits));
  noteShown('appointment', idsOf(found.settled));
  return dayPage(view, { asked, query }, found, await whatWasDone(request));
}

async function showList(request: ClinicRequest, asked: AskedDay): Promise<Page> {
  const { tenantId, query, view, read, noteShown } = request;
  const after = dayCursor.parameter.safeParse(query.get('cursor')).data;
  const { day: range, who } = asked;
  const isConfirmedByPatient = askedConfirmation(query);
  const wanted = {
    tenantId,
    range,
    after,
    limit: PAGE + 1,
    isConfirmedByPatient,
    ...(who.length > 0 && { professionalIds: who }),
  };
  const found = await read((em) => listAgenda(em, wanted));
  const entries = found.slice(0, PAGE);
  noteShown('appointment', idsOf(entries));
  const last = found.length > PAGE ? entries.at(-1) : undefined;
  const cursor = last ? dayCursor.encode(last) : null;
  return listPage(view, asked, { entries, cursor, query });
}

/** Only the first page refreshes. */
const REFRESH_SECONDS = 15;

interface DayList {
  entries: readonly AgendaEntry[];
  /** The cursor of the next page. */
  cursor: string | null;
  query: URLSearchParams;
}

/** The day as a list by time, including cancelled and moved appointments. */
function listPage(view: View, asked: AskedDay, { entries, cursor, query }: DayList): Page {
  const words = DAY_WORDS[view.language];
  const list = agendaTable(view, entries, { caption: words.caption, day: asked.day });
  const seconds = query.has('cursor') ? null : REFRESH_SECONDS;
  return {
    title: dayTitle(view, asked),
    body: html`${dateBar(view, asked, null)} ${confirmationChips(view, asked, query)}
    ${live('day', seconds, html`${list} ${nextPage(query, cursor, words.later)}`)}`,
  };
}
