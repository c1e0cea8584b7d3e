import { DateTime } from 'luxon';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { html, type Html } from '../../pages/html.ts';
import { timeValue } from '../appointments/time-choice.ts';
import { field } from '../layout/form.ts';
import { bookableNow, type Guest } from './guest.ts';
import type { OfferedDay } from './offered-times.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

const NOON = 12;
/** Seven days are beside each other on a phone: Sáb, Sat. */
const NAME_OF_DAY = 3;

/** The part that scripts replace when the choice changes. */
const OFFERED = 'offered';

/** A form for another day. @param others fields of earlier choices */
export function dayForm(guest: Guest, action: string, { day }: OfferedDay, others: Html): Html {
  const { language, format } = guest;
  const words = SELF_SERVICE_WORDS[language];
  const { from, until } = bookableNow(guest);
  const dateOf = (at: Date) => localDayOf(at, format.zone).date;
  return html`<form
    method="get"
    action="${action}"
    class="filters"
    hx-get="${action}"
    hx-trigger="change"
    hx-target="#${OFFERED}"
    hx-select="#${OFFERED}"
    hx-swap="outerHTML"
    hx-sync="this:replace"
  >
    ${others}
    ${field({
      name: 'day',
      label: words.day,
      type: 'date',
      value: day.date,
      isRequired: true,
      min: dateOf(from),
      max: dateOf(new Date(until.getTime() - 1)),
    })}
    <button class="second unscripted">${words.showTimes}</button>
  </form>`;
}

export interface TimesForm {
  method: 'get' | 'post';
  action: string;
  /** Hidden fields of earlier choices. */
  fields: Html;
  dayLink: (date: string) => string;
}

/** The next free time first, then a week of days, then the times of one day, each as a submit button. */
export function timesPart(guest: Guest, offered: OfferedDay, form: TimesForm): Html {
  const words = SELF_SERVICE_WORDS[guest.language];
  const { day, times, next } = offered;
  const isEarly = isMorning(guest);
  return html`<div id="${OFFERED}">
    ${nextFree(guest, offered, form)} ${weekPart(guest, offered, form.dayLink)}
    <h2>${guest.format.dayTitle(day.from)}</h2>
    ${
      times.length > 0 &&
      html`<form method="${form.method}" action="${form.action}">
        ${form.fields} ${halfDay(guest, words.morning, times.filter(isEarly))}
        ${halfDay(
          guest,
          words.afternoon,
          times.filter((slot) => !isEarly(slot)),
        )}
      </form>`
    }
    ${
      times.length === 0 &&
      html`<p class="empty">
        ${words.noTimes}
        ${next && html`<br /><a href="${form.dayLink(next.date)}">${words.nextTimes(guest.format.day(next.from))}</a>`}
      </p>`
    }
  </div>`;
}

/** Only while no day was chosen. */
function nextFree({ format, language }: Guest, { times, isFirst }: OfferedDay, form: TimesForm): Html | null {
  const [first] = times;
  if (!first || !isFirst) return null;
  const { nextFree: label } = SELF_SERVICE_WORDS[language];
  return html`<form method="${form.method}" action="${form.action}">
    ${form.fields}
    <p class="actions">
      <button name="time" value="${timeValue(first)}">
        ${label}: ${format.dayTitle(first.startsAt)}, ${format.time(first.startsAt)}
      </button>
    </p>
  </form>`;
}

/** Seven days with the number of free times of each, and the way to other weeks. */
function weekPart(guest: Guest, { day, week }: OfferedDay, dayLink: (date: string) => string): Html {
  const words = SELF_SERVICE_WORDS[guest.language];
  const { from, until } = bookableNow(guest);
  const [first, last] = [week[0]?.day ?? day, week.at(-1)?.day ?? day];
  return html`<nav class="offered-week" aria-label="${words.week}">
      ${week.map((each) => dayInWeek(guest, each, { isShown: each.day.date === day.date, dayLink }))}
    </nav>
    <p class="days">
      ${first.from > from && html`<a href="${dayLink(first.previous)}">← ${words.weekBefore}</a>`}
      ${last.until < until && html`<a href="${dayLink(last.next)}">${words.weekAfter} →</a>`}
    </p>`;
}

function dayInWeek(
  { format, language }: Guest,
  { day, free }: OfferedDay['week'][number],
  { isShown, dayLink }: { isShown: boolean; dayLink: (date: string) => string },
): Html {
  const count = format.number(free);
  const text = html`${format.weekdayName(day.from).slice(0, NAME_OF_DAY)}
    <b>${format.dayOfMonth(day.from)}</b>
    <small
      >${free === 0 ? '–' : count}<span class="unseen"> ${SELF_SERVICE_WORDS[language].free}</span></small
    >`;
  if (free === 0 && !isShown) return html`<span class="soft">${text}</span>`;
  return html`<a href="${dayLink(day.date)}" ${isShown && html`aria-current="date"`}>${text}</a>`;
}

function halfDay({ format }: Guest, title: string, times: readonly FreeSlot[]): Html | null {
  if (times.length === 0) return null;
  return html`<h3>${title}</h3>
    <div class="times">
      ${times.map(
        (slot) =>
          html`<button class="second" name="time" value="${timeValue(slot)}">
            ${format.time(slot.startsAt)}
          </button>`,
      )}
    </div>`;
}

function isMorning({ format: { zone } }: Guest): (slot: FreeSlot) => boolean {
  return ({ startsAt }) => DateTime.fromJSDate(startsAt, { zone }).hour < NOON;
}
