import { DateTime } from 'luxon';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import { localDayOf, type LocalDay } from '../../domain/clinic/hours/local-day.ts';
import { html, type Html } from '../../pages/html.ts';
import { timeValue } from '../appointments/time-choice.ts';
import { field } from '../layout/form.ts';
import { bookableNow, type Guest } from './guest.ts';
import type { OfferedDay } from './offered-times.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

const NOON = 12;

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

/** The free times of a day, each as a submit button. */
export function timesPart(
  guest: Guest,
  offered: OfferedDay,
  { method, action, fields, dayLink }: TimesForm,
): Html {
  const words = SELF_SERVICE_WORDS[guest.language];
  const { day, times, next } = offered;
  return html`<div id="${OFFERED}">
    <h2>${guest.format.dayTitle(day.from)}</h2>
    ${daysBeside(guest, day, dayLink)}
    ${
      times.length > 0 &&
      html`<form method="${method}" action="${action}">
        ${fields} ${halfDay(guest, words.morning, times.filter(isMorning(guest)))}
        ${halfDay(
          guest,
          words.afternoon,
          times.filter((slot) => !isMorning(guest)(slot)),
        )}
      </form>`
    }
    ${
      times.length === 0 &&
      html`<p class="empty">
        ${words.noTimes}
        ${next && html`<br /><a href="${dayLink(next.date)}">${words.nextTimes(guest.format.day(next.from))}</a>`}
      </p>`
    }
  </div>`;
}

function daysBeside(guest: Guest, day: LocalDay, dayLink: (date: string) => string): Html {
  const words = SELF_SERVICE_WORDS[guest.language];
  const { from, until } = bookableNow(guest);
  return html`<p class="days">
    ${day.from > from && html`<a class="button second" href="${dayLink(day.previous)}">← ${words.dayBefore}</a>`}
    ${day.until < until && html`<a class="button second" href="${dayLink(day.next)}">${words.dayAfter} →</a>`}
  </p>`;
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
