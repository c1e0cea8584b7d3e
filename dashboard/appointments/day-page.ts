import type { AgendaEntry } from '../../db/appointments/list-agenda.ts';
import type { LocalDay } from '../../domain/clinic/local-day.ts';
import { html, type Html } from '../../pages/html.ts';
import { BLOCKS } from '../blocks/block-form.ts';
import { blockTable } from '../blocks/block-list.ts';
import type { ShownBlock } from '../blocks/shown-block.ts';
import { BLOCK_WORDS } from '../blocks/words.ts';
import { instant, live, nextPage, table } from '../layout/components.ts';
import { field } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { appointmentState } from './appointment-state.ts';
import { APPOINTMENT_WORDS } from './words.ts';

export interface DayList {
  day: LocalDay;
  isByProfessional: boolean;
  entries: readonly AgendaEntry[];
  /** What touches the day. */
  blocks: readonly ShownBlock[];
  /** Of the next page. */
  cursor: string | null;
  query: URLSearchParams;
}

/** Later pages stand still. */
const REFRESH_SECONDS = 15;

export function dayPage(view: View, list: DayList): Page {
  const words = APPOINTMENT_WORDS[view.language].day;
  const { day, entries, cursor, query, isByProfessional } = list;
  const tables =
    isByProfessional && entries.length > 0
      ? tablesByProfessional(view, list)
      : agendaTable(view, entries, { caption: words.caption, withProfessional: true });
  return {
    title: FRAME_WORDS[view.language].sections.appointments,
    body: html`<p class="actions">
        <a class="button" href="/appointments/new?day=${day.date}">${words.book}</a>
        <a class="button second" href="${BLOCKS}/new?day=${day.date}">${BLOCK_WORDS[view.language].add}</a>
      </p>
      ${daySwitch(view, list)}
      <h2>${view.format.day(day.from)}</h2>
      ${live('day-list', query.has('cursor') ? null : REFRESH_SECONDS, html`${blocksOfDay(view, list)} ${tables} ${nextPage(query, cursor, words.later)}`)}`,
  };
}

/** What of the day cannot be booked. */
function blocksOfDay(view: View, { blocks }: DayList): Html | null {
  if (blocks.length === 0) return null;
  const caption = BLOCK_WORDS[view.language].ofDay;
  return html`<h3>${caption}</h3>
    ${blockTable(view, blocks, caption)}`;
}

/** The day before, the day after, any other, and in which order. */
function daySwitch(view: View, { day, isByProfessional }: DayList): Html {
  const words = APPOINTMENT_WORDS[view.language].day;
  const by = isByProfessional ? '&by=professional' : '';
  const order = (name: string, isChosen: boolean, address: string) =>
    html`<a href="${address}" ${isChosen && html`aria-current="true"`}>${name}</a>`;
  return html`<form class="filters" method="get" action="/appointments">
      ${field({ name: 'day', label: words.date, type: 'date', value: day.date })}
      ${isByProfessional && html`<input type="hidden" name="by" value="professional" />`}
      <button class="second">${words.show}</button>
    </form>
    <p class="actions">
      <a rel="prev" href="?day=${day.previous}${by}">← ${words.previous}</a>
      <a href="/appointments${isByProfessional && '?by=professional'}">${words.today}</a>
      <a rel="next" href="?day=${day.next}${by}">${words.next} →</a>
      <span class="tabs"
        >${order(words.byTime, !isByProfessional, `?day=${day.date}`)}
        ${order(words.byProfessional, isByProfessional, `?day=${day.date}&by=professional`)}</span
      >
    </p>`;
}

function tablesByProfessional(view: View, { entries, day }: DayList): Html[] {
  const groups = [...Map.groupBy(entries, ({ professionalId }) => professionalId).values()];
  const named = groups.map((group) => ({
    name: group[0]?.professionalName ?? '',
    id: group[0]?.professionalId ?? '',
    group,
  }));
  return named
    .toSorted((one, other) => one.name.localeCompare(other.name, view.language))
    .map(
      ({ name, id, group }) =>
        html`<h3>${name}</h3>
          <p>
            <a href="${BLOCKS}/new?day=${day.date}&professional=${id}"
              >${BLOCK_WORDS[view.language].add}<span class="unseen">: ${name}</span></a
            >
          </p>
          ${agendaTable(view, group, { caption: name, withProfessional: false })}`,
    );
}

/** Appointments by time, each leading to its page. */
export function agendaTable(
  view: View,
  entries: readonly AgendaEntry[],
  { caption, withProfessional }: { caption: string; withProfessional: boolean },
): Html {
  const { heads, day } = APPOINTMENT_WORDS[view.language];
  const withIt = (text: string) => (withProfessional ? [text] : []);
  return table({
    caption,
    heads: [heads.time, heads.patient, heads.service, ...withIt(heads.professional), heads.status],
    rows: entries.map((entry) => ({
      cells: [
        html`${instant(entry.startsAt, view.format.time(entry.startsAt))}–${view.format.time(entry.endsAt)}`,
        // With an id of its own a link keeps the focus while the list refreshes itself.
        html`<a id="appointment-${entry.id}" href="/appointments/${entry.id}">${entry.patientName}</a>`,
        entry.serviceName ?? '–',
        ...withIt(entry.professionalName),
        appointmentState(entry.status, view),
      ],
    })),
    empty: day.none,
  });
}
