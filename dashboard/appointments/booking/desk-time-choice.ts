import type { DeskTime } from '../../../domain/appointments/desk-times.ts';
import { html, type Html } from '../../../pages/html.ts';
import { radio, radioChoice, type RadioOption } from '../../layout/radio-choice.ts';
import type { View } from '../../layout/view.ts';
import { BOOKING_WORDS } from '../booking-words.ts';
import { shownForInput } from '../time-choice.ts';
import { deskTimeValue } from './desk-time-field.ts';
import type { Neighbour } from './neighbours.ts';
import { overButton, type TakenTime } from './over-others.ts';
import type { Wish } from './wish.ts';

/** The most times that one page shows. */
const MAX_TIMES = 120;
const MAX_AT = 12;

export interface DeskTimeChoice {
  /** The free times; null while the service is unknown. */
  times: readonly DeskTime[] | null;
  wish: Wish;
  /** The professionals who are free at the requested time. */
  atWish: readonly DeskTime[];
  neighbours: readonly Neighbour[];
  /** The requested time, if it can be booked only over others. */
  taken?: TakenTime | null;
  /** Whether an appointment is moved. */
  isMove?: boolean;
  /** The values of the fields that the times depend on. */
  shownFor: readonly string[];
  /** The time that was chosen earlier. */
  chosen: string | null;
  error: string | undefined;
  /** The names of professionals by id, if there are several. */
  names: ReadonlyMap<string, string>;
}

/**
 * Times to choose from: first the requested time or times near it, then the whole day. Browsers must not restore a
 * choice by its position, because the list may have changed.
 */
export function deskTimeChoice(view: View, choice: DeskTimeChoice): Html {
  const { wish, shownFor, error, times } = choice;
  const words = BOOKING_WORDS[view.language];
  const isWishGone = wish.at !== null && choice.atWish.length === 0;
  return html`<fieldset
    id="times"
    class="desk-times"
    ${error !== undefined && html`aria-describedby="time-more"`}
  >
    <legend>${words.time}, <span data-said>${view.format.day(wish.day.from)}</span></legend>
    ${shownForInput(shownFor)}
    ${error !== undefined && html`<p class="more" id="time-more"><strong class="error">${error}</strong></p>`}
    ${isWishGone && html`<p class="more">${words.wishGone(wish.time)}</p>`}
    ${choice.taken && overButton(view, choice.taken, choice.isMove === true)} ${firstOf(view, choice)}
    ${times === null ? html`<p class="more">${words.serviceFirst}</p>` : timesOfDay(view, choice, times)}
  </fieldset>`;
}

/** The requested time, or times near it if it was taken. */
function firstOf(view: View, choice: DeskTimeChoice): Html {
  const { wish, neighbours, names } = choice;
  const words = BOOKING_WORDS[view.language];
  const atWish = choice.atWish.toSorted((one, other) => unusualIn(one) - unusualIn(other)).slice(0, MAX_AT);
  const only = atWish.length === 1 && choice.chosen === null ? atWish[0] : undefined;
  const chosen = only ? deskTimeValue(only) : choice.chosen;
  const near = neighbours.map((time) =>
    option(time, view, time.professionalName, chosen, view.format.dayAndTime(time.startsAt, view.now)),
  );
  return html`${group(
    words.wished(wish.time),
    atWish.map((time) => option(time, view, names.get(time.professionalId), chosen)),
  )}
  ${near.length > 0 && html`<div data-dated>${group(words.near, near)}</div>`}`;
}

const unusualIn = ({ isShort, isOutside }: DeskTime) => Number(isShort) + Number(isOutside);

function timesOfDay(view: View, { names, chosen, wish }: DeskTimeChoice, times: readonly DeskTime[]): Html {
  const words = BOOKING_WORDS[view.language];
  const shown = times.filter(({ startsAt }) => startsAt.getTime() !== wish.at?.getTime()).slice(0, MAX_TIMES);
  const areMany = new Set(shown.map(({ professionalId }) => professionalId)).size > 1;
  const parts = Map.groupBy(shown, ({ startsAt }) => partOf(view.format.time(startsAt)));
  return html`${shown.length === 0 && html`<p class="empty">${words.noTimes}</p>`}
  ${(['morning', 'afternoon', 'evening'] as const).map((part) => {
    const options = (parts.get(part) ?? []).map((time) =>
      option(time, view, names.get(time.professionalId), chosen),
    );
    return areMany ? byTime(words.parts[part], options) : group(words.parts[part], options);
  })}
  ${times.length > MAX_TIMES && html`<p class="more">${words.moreTimes}</p>`}`;
}

/** The part of the day, as in the API: docs/availability.md#search-for-times */
function partOf(time: string): 'morning' | 'afternoon' | 'evening' {
  if (time < '12:00') return 'morning';
  return time < '18:00' ? 'afternoon' : 'evening';
}

interface TimeOption extends RadioOption {
  /** As it is shown. */
  time: string;
}

/** @param text replaces the time of day */
function option(
  time: DeskTime,
  { format, language, now }: View,
  name: string | undefined,
  chosen: string | null,
  text = format.time(time.startsAt),
): TimeOption {
  const words = BOOKING_WORDS[language];
  const value = deskTimeValue(time);
  const minutes = Math.round((time.endsAt.getTime() - time.startsAt.getTime()) / 60_000);
  const marks = [
    ...(time.isShort ? [words.short(minutes)] : []),
    ...(time.isOutside ? [words.outside] : []),
    ...(time.startsAt < now ? [words.past] : []),
  ];
  const label = html`<span class="time">${text}</span>
    ${name !== undefined && html`<span class="soft">${name}</span>`}
    ${marks.map((mark) => html`<small>${mark}</small> `)}`;
  return { time: text, value, label, isChosen: value === chosen };
}

function group(title: string, options: readonly RadioOption[]): Html | null {
  return options.length > 0 ? radioChoice({ name: 'time', legend: title, className: 'part', options }) : null;
}

/** One row for each time, with the professionals who are free then. */
function byTime(title: string, options: readonly TimeOption[]): Html | null {
  if (options.length === 0) return null;
  const rows = Map.groupBy(options, ({ time }) => time);
  return html`<fieldset class="part by-time">
    <legend>${title}</legend>
    ${[...rows].map(
      ([time, ofTime]) =>
        html`<div>
          <b aria-hidden="true">${time}</b>
          <div class="times">${ofTime.map((each) => radio('time', each, {}))}</div>
        </div>`,
    )}
  </fieldset>`;
}

/** The current choice, next to the submit button; needs scripts. */
export function summary({ language }: View, button: Html): Html {
  const { time } = BOOKING_WORDS[language].wrong;
  return html`<div class="decide">
    ${button}<output class="scripted" data-summary="${time}">${time}</output>
  </div>`;
}
