import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { WEEK_WORDS } from './words.ts';

export type Openings = [opens: string, closes: string][];

/** The minimum number of opening fields per day; docs/clinic-settings.md#business-hours */
const FEWEST = 2;
export const MOST = 10;

export interface OpeningInputs {
  /** The prefix of the input names. */
  name: string;
  label: string;
  /** The openings, in the format of `textOfTimes`. */
  value: string;
}

/** The openings of a day, with one empty row more than needed. */
export function openingInputs({ language }: View, { name, label, value }: OpeningInputs): Html[] {
  const { opens, closes } = WEEK_WORDS[language];
  const times = parseTimes(value);
  const shown = Math.min(MOST, Math.max(FEWEST, times.length + 1));
  const time = (nr: number, end: 'from' | 'to', at: string, what: string) =>
    html`<input
      type="time"
      name="${nameOf(name, nr, end)}"
      value="${at === '24:00' ? '00:00' : at}"
      aria-label="${label} ${nr + 1}, ${what}"
    />`;
  return Array.from({ length: shown }, (_, nr) => {
    const [from = '', to = ''] = times[nr] ?? [];
    return html`<span>${time(nr, 'from', from, opens)} – ${time(nr, 'to', to, closes)}</span>`;
  });
}

const nameOf = (name: string, nr: number, end: 'from' | 'to') => `${name}-${nr}-${end}`;

/**
 * The submitted openings; one without an end is kept, so that it is reported. Undefined when they are not in the form.
 */
export function sentTimes(form: URLSearchParams, name: string): string | undefined {
  const numbers = Array.from({ length: MOST }, (_, nr) => nr);
  const isThere = numbers.some(
    (nr) => form.has(nameOf(name, nr, 'from')) || form.has(nameOf(name, nr, 'to')),
  );
  if (!isThere) return undefined;
  const times = numbers
    .map((nr) => [form.get(nameOf(name, nr, 'from')) ?? '', form.get(nameOf(name, nr, 'to')) ?? ''] as const)
    .filter((each) => each.join('') !== '')
    .map(([from, to]): [string, string] => [from, to === '00:00' ? '24:00' : to]);
  return textOfTimes(times);
}

/** The field of a week's form that names the day whose times are copied to other days. */
export const COPY = 'copy';

/** The form with Monday's times for the days until Friday, if the button for that was pressed. */
export function withCopiedDays(form: URLSearchParams): URLSearchParams {
  if (form.get(COPY) !== 'mon') return form;
  const copied = new URLSearchParams(form);
  for (const day of ['tue', 'wed', 'thu', 'fri'])
    for (let nr = 0; nr < MOST; nr += 1)
      for (const end of ['from', 'to'] as const)
        copied.set(nameOf(day, nr, end), form.get(nameOf('mon', nr, end)) ?? '');
  return copied;
}

/** The text of openings, earliest first, such as `09:00-13:00 14:00-24:00`. */
export function textOfTimes(times: Openings): string {
  return times
    .map((each) => each.join('-'))
    .toSorted()
    .join(' ');
}

export function parseTimes(text: string): string[][] {
  return text === '' ? [] : text.split(' ').map((times) => times.split('-'));
}
