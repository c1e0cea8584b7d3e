import { html, type Html } from '../../../pages/html.ts';
import { live } from '../../layout/components.ts';
import { form } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { Page } from '../../serving/page-request.ts';
import { agendaTable } from '../agenda-table.ts';
import { DAY_ADDRESS, queryOf, type AskedDay } from './asked-day.ts';
import { CHECK_IN } from './check-in.ts';
import { confirmationChips } from './confirmation-chips.ts';
import { dateBar, dayTitle } from './date-bar.ts';
import { MAX_COLUMNS, MAX_SETTLED, type Picture } from './find-day-calendar.ts';
import { picture } from './day-calendar.ts';
import { DAY_WORDS } from './words.ts';

const REFRESH_SECONDS = 15;

/** The day of all professionals, or the week of one. @param done a confirmation */
export function dayPage(
  view: View,
  { asked, query }: { asked: AskedDay; query: URLSearchParams },
  found: Picture,
  done: Html | null,
): Page {
  const isWeek = asked.view === 'week';
  const chosen = found.columns[0]?.professional.id ?? '';
  const whose = isWeek ? { chosen, everybody: found.everybody } : null;
  return {
    title: dayTitle(view, asked),
    body: html`${dateBar(view, asked, whose)} ${done} ${!isWeek && confirmationChips(view, asked, query)}
    ${!isWeek && whoIsShown(view, asked, found)}
    ${live('day', REFRESH_SECONDS, partThatChanges(view, asked, found))}`,
  };
}

function partThatChanges(view: View, asked: AskedDay, { columns, settled, isCut }: Picture): Html {
  const words = DAY_WORDS[view.language];
  const isEmpty = asked.view === 'day' && columns.every(({ visits }) => visits.length === 0);
  const back = html`<input type="hidden" name="back" value="${backOf(asked)}" />`;
  const shown = picture(view, columns, asked.view === 'week');
  return html`${isEmpty && html`<p class="soft">${words.none}</p>`}
  ${isCut && html`<p><a href="${DAY_ADDRESS}?${listQuery(asked)}">${words.tooMany}</a></p>`}
  ${form(view, { action: CHECK_IN }, html`${back}${shown}`)} ${settledPart(view, asked, settled)}`;
}

const backOf = (asked: AskedDay) => queryOf({ ...asked, day: asked.day.date });
const listQuery = (asked: AskedDay) =>
  queryOf({ day: asked.day.date, view: 'list', who: asked.who, first: 0 });

/** Collapsed, because cancelled and moved appointments no longer belong to the day. */
function settledPart(view: View, asked: AskedDay, settled: Picture['settled']): Html | null {
  if (settled.length === 0) return null;
  const words = DAY_WORDS[view.language];
  const isCut = settled.length === MAX_SETTLED;
  return html`<details class="settled">
    <summary>${words.settled(isCut ? `${MAX_SETTLED - 1}+` : String(settled.length))}</summary>
    ${agendaTable(view, settled, { caption: words.settledCaption, day: asked.day })}
    ${isCut && html`<p><a href="${DAY_ADDRESS}?${listQuery(asked)}">${words.moreSettled}</a></p>`}
  </details>`;
}

/** The professionals shown, if not all, with a link to the others. */
function whoIsShown(view: View, asked: AskedDay, { columns, everybody, total }: Picture): Html | null {
  if (everybody.length < 2) return null;
  const words = DAY_WORDS[view.language];
  const to = (first: number) => `${DAY_ADDRESS}?${queryOf({ ...asked, day: asked.day.date, first })}`;
  const next = asked.first + columns.length;
  const shown = new Set(columns.map(({ professional }) => professional.id));
  return html`<div class="who">
    <details>
      <summary>${words.chooseWho(columns.length, everybody.length)}</summary>
      <form method="get" action="${DAY_ADDRESS}">
        <input type="hidden" name="day" value="${asked.day.date}" />
        <div class="times">
          ${everybody.map(
            ({ id, name }) =>
              html`<label class="choice"
                ><input type="checkbox" name="who" value="${id}" ${shown.has(id) && html`checked`} />
                ${name}</label
              >`,
          )}
        </div>
        <button class="second">${words.show}</button>
      </form>
    </details>
    ${asked.first > 0 && html`<a href="${to(Math.max(0, asked.first - MAX_COLUMNS))}">← ${words.earlierColumns}</a>`}
    ${next < total && html`<a href="${to(next)}">${words.laterColumns} →</a>`}
  </div>`;
}
