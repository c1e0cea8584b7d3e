import { z } from 'zod';
import {
  openingsOfDay,
  specialDate,
  specialHoursSchema,
  type SpecialHours,
} from '../../domain/clinic/hours/working-hours.schema.ts';
import type { FormField, FormFields } from '../edits/form-fields.ts';
import { parseTimes, sentTimes, textOfTimes, type Openings } from './opening-inputs.ts';

/** What the dates of a form are saved as; null: nothing of its own any more. */
export type ShownOfDates = Record<string, Openings | null>;

/** Dates that can be added at a time. */
const ROOM = 3;

/** In place of times: no one works. No text at all: the date is like any other of its weekday. */
export const CLOSED = 'closed';

export function isDate(text: string): boolean {
  return specialDate.safeParse(text).success;
}

/**
 * The form of what replaces the week on some dates: a field for each of them.
 * @param form what was sent, which may have dates that are new
 */
export function datesForm<Row>(
  specialOf: (row: Row) => SpecialHours | null,
  { row, form }: { row: Row; form: URLSearchParams },
): FormFields<Row, ShownOfDates> {
  const field = (day: string): FormField<Row, Openings | null> => ({
    read: z
      .string()
      .transform((text) => (text === '' ? null : parseTimes(text === CLOSED ? '' : text)))
      .pipe(openingsOfDay.nullable())
      .refine(() => isDate(day)),
    show: (shown) => textOf(specialOf(shown)?.[day]),
    sent: (sent) => sentOf(sent, day),
  });
  const dates = new Set([...Object.keys(specialOf(row) ?? {}), ...datesIn(form)]);
  return Object.fromEntries([...dates].toSorted().map((day) => [day, field(day)]));
}

/**
 * The dates as they are to be saved; null: none.
 * @throws TooManyDates
 */
export function datesAfter(stored: SpecialHours | null, changes: Partial<ShownOfDates>): SpecialHours | null {
  const all = Object.entries({ ...stored, ...changes }).filter(
    ([, times]) => times !== null && times !== undefined,
  );
  const dates = specialHoursSchema.safeParse(Object.fromEntries(all));
  if (!dates.success) throw new TooManyDates('There may be at most 400 special dates.');
  return all.length > 0 ? dates.data : null;
}

/** More dates than the API takes. */
export class TooManyDates extends Error {}

function textOf(times: Openings | undefined): string {
  if (!times) return '';
  return times.length === 0 ? CLOSED : textOfTimes(times);
}

/** What the names of the inputs of new dates begin with. */
export const NEW_ROWS = Array.from({ length: ROOM }, (_, nr) => `new-${nr}`);

/** The date that stands in a row for a new one; it may be none. */
const newDateIn = (form: URLSearchParams, row: string) => (form.get(`${row}-date`) ?? '').trim();

/** Rows that something was filled in. */
function newRowsIn(form: URLSearchParams): string[] {
  return NEW_ROWS.filter((row) => newDateIn(form, row) !== '' || (sentTimes(form, row) ?? '') !== '');
}

function datesIn(form: URLSearchParams): string[] {
  const shown = [...form.keys()].map((name) => /^(\d{4}-\d{2}-\d{2})-0-from$/.exec(name)?.[1] ?? []);
  return [...shown.flat(), ...newRowsIn(form).map((row) => newDateIn(form, row))];
}

/** What was sent of a date, in its row and in rows for new ones. */
function sentOf(form: URLSearchParams, day: string): string | undefined {
  const news = newRowsIn(form).filter((row) => newDateIn(form, row) === day);
  if (form.get(`${day}-none`) === 'yes' && news.length === 0) return '';
  const sent = [day, ...news].map((name) => sentTimes(form, name));
  if (sent.every((times) => times === undefined)) return undefined;
  const times = sent.filter((each) => each).join(' ');
  return times === '' ? CLOSED : textOfTimes(parseTimes(times) as Openings);
}
