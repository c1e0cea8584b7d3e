import { z } from 'zod';
import {
  openingsOfDay,
  specialDate,
  specialHoursSchema,
  type SpecialHours,
} from '../../domain/clinic/hours/working-hours.schema.ts';
import type { FormField, FormFields } from '../edits/form-fields.ts';
import { parseTimes, sentTimes, textOfTimes, type Openings } from './opening-inputs.ts';

/** How dates are saved; null removes a date. */
export type ShownOfDates = Record<string, Openings | null>;

/** The number of empty rows for new dates. */
const ROOM = 3;

/** The value for a closed day. An empty value removes the special date. */
export const CLOSED = 'closed';

export function isDate(text: string): boolean {
  return specialDate.safeParse(text).success;
}

/**
 * A form for special dates, with a field for each.
 * @param form the submission, which may have new dates
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
 * The dates to save; null when there are none.
 * @throws TooManyDates
 */
export function datesAfter(stored: SpecialHours | null, changes: Partial<ShownOfDates>): SpecialHours | null {
  const all = Object.entries({ ...stored, ...changes }).filter(
    ([, times]) => times !== null && times !== undefined,
  );
  const dates = specialHoursSchema.safeParse(Object.fromEntries(all));
  if (!dates.success) throw new TooManyDates('At most 400 special dates are allowed.');
  return all.length > 0 ? dates.data : null;
}

/** More dates than the API accepts. */
export class TooManyDates extends Error {}

function textOf(times: Openings | undefined): string {
  if (!times) return '';
  return times.length === 0 ? CLOSED : textOfTimes(times);
}

/** Prefixes of the input names of new dates. */
export const NEW_ROWS = Array.from({ length: ROOM }, (_, nr) => `new-${nr}`);

/** The date in a row for a new date; it may be missing. */
const newDateIn = (form: URLSearchParams, row: string) => (form.get(`${row}-date`) ?? '').trim();

/** Rows that were filled in. */
function newRowsIn(form: URLSearchParams): string[] {
  return NEW_ROWS.filter((row) => newDateIn(form, row) !== '' || (sentTimes(form, row) ?? '') !== '');
}

function datesIn(form: URLSearchParams): string[] {
  const shown = [...form.keys()].map((name) => /^(\d{4}-\d{2}-\d{2})-0-from$/.exec(name)?.[1] ?? []);
  return [...shown.flat(), ...newRowsIn(form).map((row) => newDateIn(form, row))];
}

/** The submitted value of a date, from its own row or a new one. */
function sentOf(form: URLSearchParams, day: string): string | undefined {
  const news = newRowsIn(form).filter((row) => newDateIn(form, row) === day);
  if (form.get(`${day}-none`) === 'yes' && news.length === 0) return '';
  const sent = [day, ...news].map((name) => sentTimes(form, name));
  if (sent.every((times) => times === undefined)) return undefined;
  const times = sent.filter((each) => each).join(' ');
  return times === '' ? CLOSED : textOfTimes(parseTimes(times) as Openings);
}
