import { z } from 'zod';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { BOOKING_WORDS } from './booking-words.ts';

/** Refusals that another choice or other input can fix. */
const CORRECTABLE = [
  'slot_conflict',
  'outside_hours',
  'hold_expired',
  'already_booked',
  'starts_in_past',
  'service_not_offered',
  'professional_inactive',
  'validation_failed',
];

export function isCorrectable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && CORRECTABLE.includes(error.code);
}

/** The values for which the form's times were found; sent with the choice. */
const SHOWN_FOR = 'shown_for';

export interface ChosenTime {
  startsAt: Date;
  professionalId: string;
}

/** A time as sent by a radio button: `<instant>/<professional>`. */
export const timeField = z
  .string()
  .transform((text) => text.split('/'))
  .pipe(z.tuple([z.iso.datetime(), z.guid()]))
  .transform(([startsAt, professionalId]): ChosenTime => ({ startsAt: new Date(startsAt), professionalId }));

export function timeValue({ startsAt, professionalId }: ChosenTime): string {
  return `${startsAt.toISOString()}/${professionalId}`;
}

/** @param fields the values that the times depend on */
export function shownForInput(fields: readonly string[]): Html {
  return html`<input type="hidden" name="${SHOWN_FOR}" value="${keyOf(fields)}" />`;
}

/**
 * The fields that times depend on; with scripts, a change reloads the times. @param address the address of the form's
 * page
 */
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

/**
 * Whether the times shown match the form's current fields. A time shown before a service was chosen matches any; its
 * length is checked when booking.
 */
export function areTimesOf(form: URLSearchParams, fields: readonly string[]): boolean {
  const shown = form.get(SHOWN_FOR);
  const values = fields.map((name) => ({ name, value: form.get(name) ?? '' }));
  const withoutService = values.map(({ name, value }) => (name === 'service' ? '' : value));
  return shown === keyOf(values.map(({ value }) => value)) || shown === keyOf(withoutService);
}

/**
 * The chosen time as the page showed it. A time that has just started may still be chosen while the patient is at the
 * desk.
 */
export function asShown({ startsAt }: ChosenTime, now: Date): Date {
  return new Date(Math.min(now.getTime(), startsAt.getTime() - 1));
}

/** @throws ServiceError `slot_conflict` when the choice is not among the free times for the form's fields */
export function requireOffered(times: Iterable<FreeSlot>, { startsAt, professionalId }: ChosenTime): void {
  const isOffered = Iterator.from(times).some(
    (slot) => slot.startsAt.getTime() === startsAt.getTime() && slot.professionalId === professionalId,
  );
  if (!isOffered) throw new ServiceError('slot_conflict', 'This time is no longer free.');
}

function keyOf(fields: readonly string[]): string {
  return fields.join(' ');
}
