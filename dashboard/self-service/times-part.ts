import { DateTime } from 'luxon';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import { html, type Html } from '../../pages/html.ts';
import { field } from '../layout/form.ts';
import type { Guest } from './guest.ts';
import type { OfferedDay } from './offered-times.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

const NOON = 12;

/** The day, by itself a form that looks, and its free times, each a button of the form around them. */
export function timesPart(guest: Guest, offered: OfferedDay, dayLink: (date: string) => string): Html {
  const words = SELF_SERVICE_WORDS[guest.language];
  const { times, next } = offered;
  if (times.length > 0)
    return html`${halfDay(guest, words.morning, times, isMorning)}
    ${halfDay(guest, words.afternoon, times, (...given) => !isMorning(...given))}`;
  return html`<p class="empty">
    ${words.noTimes}
    ${next && html`<a href="${dayLink(next.date)}">${words.nextTimes(guest.format.day(next.from))}</a>`}
  </p>`;
}

/** @param others hidden fields of what was chosen before */
export function dayForm({ language }: Guest, action: string, { day }: OfferedDay, others: Html): Html {
  const words = SELF_SERVICE_WORDS[language];
  return html`<form method="get" action="${action}" class="filters">
    ${others} ${field({ name: 'day', label: words.day, type: 'date', value: day.date, isRequired: true })}
    <button class="second">${words.showTimes}</button>
  </form>`;
}

function halfDay(
  { format }: Guest,
  title: string,
  times: readonly FreeSlot[],
  belongs: (at: Date, zone: string) => boolean,
): Html | null {
  const own = times.filter(({ startsAt }) => belongs(startsAt, format.zone));
  if (own.length === 0) return null;
  return html`<h2>${title}</h2>
    <div class="times">
      ${own.map(
        ({ startsAt, professionalId }) =>
          html`<button class="second" name="time" value="${startsAt.toISOString()}/${professionalId}">
            ${format.time(startsAt)}
          </button>`,
      )}
    </div>`;
}

function isMorning(at: Date, zone: string): boolean {
  return DateTime.fromJSDate(at, { zone }).hour < NOON;
}
