import { DateTime } from 'luxon';
import type { ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import { html, type Html } from '../../../pages/html.ts';
import { BLOCKS } from '../../blocks/block-form.ts';
import { BLOCK_WORDS } from '../../blocks/words.ts';
import type { View } from '../../layout/view.ts';
import { DAY_ADDRESS, queryOf, type AskedDay, type DayView } from './asked-day.ts';
import { DAY_WORDS } from './words.ts';

/** The day, its view, and links for booking and blocking. @param whose the professional whose week is shown */
export function dateBar(
  view: View,
  asked: AskedDay,
  whose: { chosen: string; everybody: readonly ProfessionalRow[] } | null,
): Html {
  const words = DAY_WORDS[view.language];
  const { date } = asked.day;
  return html`<div class="date-bar">
    <nav aria-label="${words.bar}">${steps(view, asked)}</nav>
    <span class="tabs">${(['day', 'week', 'list'] as const).map((each) => tab(view, asked, each))}</span>
    ${goTo(view, asked, whose)}
    <span class="add"
      ><a class="button" href="/appointments/new?day=${date}">${words.book}</a>
      <a class="button second" href="${BLOCKS}/new?day=${date}">${BLOCK_WORDS[view.language].add}</a></span
    >
  </div>`;
}

function steps({ language, format }: View, asked: AskedDay): Html {
  const words = DAY_WORDS[language];
  const isWeek = asked.view === 'week';
  const at = DateTime.fromJSDate(asked.day.from, { zone: format.zone });
  const to = (weeks: number, date: string) =>
    addressOf(asked, { day: isWeek ? at.plus({ weeks }).toFormat('yyyy-MM-dd') : date });
  const { view, who } = asked;
  const today = new URLSearchParams(view === 'day' ? {} : { view });
  for (const id of who) today.append('who', id);
  const previous = isWeek ? words.previousWeek : words.previous;
  const next = isWeek ? words.nextWeek : words.next;
  return html`<a class="button second" rel="prev" href="${to(-1, asked.day.previous)}"
      ><span aria-hidden="true">‹</span><span class="unseen">${previous}</span></a
    ><a class="button second" href="${DAY_ADDRESS}${today.size > 0 && `?${today.toString()}`}"
      >${words.today}</a
    ><a class="button second" rel="next" href="${to(1, asked.day.next)}"
      ><span aria-hidden="true">›</span><span class="unseen">${next}</span></a
    >`;
}

function addressOf(asked: AskedDay, changes: Partial<{ day: string; view: DayView; first: number }>): string {
  return `${DAY_ADDRESS}?${queryOf({ ...asked, day: asked.day.date, ...changes })}`;
}

/** The page title: the day or the week. */
export function dayTitle({ format }: View, { day, view }: AskedDay): string {
  if (view !== 'week') return format.dayTitle(day.from);
  const monday = DateTime.fromJSDate(day.from, { zone: format.zone }).startOf('week');
  const sunday = monday.plus({ days: 6 });
  return `${format.shortDay(monday.toJSDate())} – ${format.shortDay(sunday.toJSDate())} ${sunday.year}`;
}

/** Links to other days, and in a week to other professionals. */
function goTo(
  { language }: View,
  { day, view, who }: AskedDay,
  whose: { chosen: string; everybody: readonly ProfessionalRow[] } | null,
): Html {
  const words = DAY_WORDS[language];
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}" />`;
  return html`<form method="get" action="${DAY_ADDRESS}">
    ${view !== 'day' && hidden('view', view)} ${!whose && who.map((id) => hidden('who', id))}
    ${
      whose &&
      html`<label class="unseen" for="who">${words.professional}</label>
        <select id="who" name="who">
          ${whose.everybody.map(
            ({ id, name }) =>
              html`<option value="${id}" ${id === whose.chosen && html`selected`}>${name}</option>`,
          )}
        </select>`
    }
    <label class="unseen" for="asked-day">${words.date}</label>
    <input type="date" id="asked-day" name="day" value="${day.date}" />
    <button class="second">${words.show}</button>
  </form>`;
}

function tab({ language }: View, asked: AskedDay, view: DayView): Html {
  const isChosen = view === asked.view;
  return html`<a href="${addressOf(asked, { view, first: 0 })}" ${isChosen && html`aria-current="true"`}
    >${DAY_WORDS[language].views[view]}</a
  > `;
}
