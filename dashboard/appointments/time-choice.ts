import { z } from 'zod';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import type { LocalDay } from '../../domain/clinic/local-day.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { BOOKING_WORDS } from './booking-words.ts';

/** As many as a page shows at a time. */
const MOST_TIMES = 120;

/** The refusals that another choice or another entry can mend. */
export const MENDABLE = [
  'slot_conflict',
  'outside_hours',
  'hold_expired',
  'already_booked',
  'starts_in_past',
  'service_not_offered',
  'professional_inactive',
  'validation_failed',
];

export function isMendable(error: unknown): boolean {
  return error instanceof ServiceError && MENDABLE.includes(error.code);
}

/** What the times of a form were found for; it is sent with the choice. */
const SHOWN_FOR = 'shown_for';

export interface ChosenTime {
  startsAt: Date;
  professionalId: string;
}

/** `<instant>/<professional>`, as a radio button sends it. */
export const timeField = z
  .string()
  .transform((text) => text.split('/'))
  .pipe(z.tuple([z.iso.datetime(), z.guid()]))
  .transform(([startsAt, professionalId]): ChosenTime => ({ startsAt: new Date(startsAt), professionalId }));

export function timeValue({ startsAt, professionalId }: ChosenTime): string {
  return `${startsAt.toISOString()}/${professionalId}`;
}

export interface TimeChoice {
  /** Only the first ones are shown. */
  times: Iterable<FreeSlot>;
  day: LocalDay;
  /** What stands in the fields that the times depend on. */
  shownFor: readonly string[];
  /** What was chosen before. */
  chosen: string | null;
  error: string | undefined;
  /** By id, where there is more than one to choose from. */
  names: ReadonlyMap<string, string> | null;
}

/**
 * Free times to choose one of. No browser may tick one by its place in a list that has changed meanwhile, as they do for
 * those who go back.
 */
export function timeChoice({ language, format }: View, choice: TimeChoice): Html {
  const { day, shownFor, chosen, error, names } = choice;
  const words = BOOKING_WORDS[language];
  const times = Iterator.from(choice.times)
    .take(MOST_TIMES + 1)
    .toArray();
  return html`<fieldset id="times" ${error !== undefined && html`aria-describedby="time-more"`}>
    <legend>${words.time}, ${format.day(day.from)}</legend>
    <input type="hidden" name="${SHOWN_FOR}" value="${keyOf(shownFor)}" />
    ${error !== undefined && html`<p class="more" id="time-more"><strong class="error">${error}</strong></p>`}
    ${times.length === 0 && html`<p class="empty">${words.noTimes}</p>`}
    <div class="times">
      ${times.slice(0, MOST_TIMES).map((slot) => {
        const { startsAt, professionalId } = slot;
        const value = timeValue(slot);
        return html`<label class="choice"
          ><input
            type="radio"
            name="time"
            value="${value}"
            autocomplete="off"
            ${value === chosen && html`checked`}
          />
          <span
            >${format.time(startsAt)}
            ${names && html`<span class="soft">${names.get(professionalId)}</span>`}</span
          ></label
        >`;
      })}
    </div>
    ${times.length > MOST_TIMES && html`<p class="more">${words.moreTimes}</p>`}
  </fieldset>`;
}

/** The fields that times depend on: where scripts run, a change of one brings its times at once. @param address of the form's page */
export function timeFilters(view: View, address: string, fields: Html): Html {
  const { showTimes, showTimesHint } = BOOKING_WORDS[view.language];
  return html`<div
    class="filters"
    hx-get="${address}"
    hx-trigger="change"
    hx-include="this"
    hx-target="#times"
    hx-select="#times"
    hx-swap="outerHTML"
    hx-sync="this:replace"
  >
    ${fields}
    <button class="second" name="step" value="times" formnovalidate>${showTimes}</button>
    <p class="more unscripted">${showTimesHint}</p>
  </div>`;
}

/** Whether the times that a form showed are those of what stands in its fields now. */
export function areTimesOf(form: URLSearchParams, fields: readonly string[]): boolean {
  return form.get(SHOWN_FOR) === keyOf(fields.map((name) => form.get(name) ?? ''));
}

/** One that was still to come when it was shown may be chosen while the patient is at the desk. */
export function asShown({ startsAt }: ChosenTime, now: Date): Date {
  return new Date(Math.min(now.getTime(), startsAt.getTime() - 1));
}

/** @throws ServiceError `slot_conflict` when the choice is not among what is free for the fields of the form */
export function requireOffered(times: Iterable<FreeSlot>, { startsAt, professionalId }: ChosenTime): void {
  const isOffered = Iterator.from(times).some(
    (slot) => slot.startsAt.getTime() === startsAt.getTime() && slot.professionalId === professionalId,
  );
  if (!isOffered) throw new ServiceError('slot_conflict', 'This time is not free any more.');
}

function keyOf(fields: readonly string[]): string {
  return fields.join(' ');
}
