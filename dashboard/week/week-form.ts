import { z } from 'zod';
import { opening, WEEKDAYS } from '../../domain/clinic/business-hours.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { inputsOf } from '../edits/edit-parts.ts';
import type { FormField, FormFields, Values } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import { showTicked, ticked } from '../filled-in.schema.ts';
import { tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { WEEK_WORDS } from './words.ts';

export type Weekday = (typeof WEEKDAYS)[number];
type Openings = z.infer<typeof openings>;
/** A day that is left out has none. */
type Week = Partial<Record<Weekday, Openings>>;

/** What a form of a week is saved as. */
export type ShownOfWeek = Record<Weekday, Openings> & {
  /** There are no times of its own. */
  always: boolean;
};

/** Openings of a day that can be filled in at least; docs/clinic-settings.md#business-hours */
const FEWEST = 2;
const MOST = 10;

const openings = z.array(opening).max(MOST);

/** The form of a week. @param weekOf null: it has no times of its own */
export function weekForm<Row>(weekOf: (row: Row) => Week | null): FormFields<Row, ShownOfWeek> {
  const day = (name: Weekday): FormField<Row, Openings> => ({
    read: z.string().transform(parseDay).pipe(openings),
    show: (row) => (weekOf(row)?.[name] ?? []).map((times) => times.join('-')).join(' '),
    sent: (form) => sentDay(form, name),
  });
  return {
    always: { read: ticked, show: (row) => showTicked(weekOf(row) === null) },
    mon: day('mon'),
    tue: day('tue'),
    wed: day('wed'),
    thu: day('thu'),
    fri: day('fri'),
    sat: day('sat'),
    sun: day('sun'),
  };
}

/**
 * The week that a form asks for; null: none of its own. Whoever fills in times for the first time need not take the tick
 * away as well.
 */
export function weekIn(changes: Partial<ShownOfWeek>, values: Values<ShownOfWeek>): Week | null {
  const hasNewTimes = WEEKDAYS.some((day) => (changes[day] ?? []).length > 0);
  const isAlways = changes.always ?? (values.always === 'yes' && !hasNewTimes);
  if (isAlways) return null;
  const days = WEEKDAYS.map((day) => [day, openings.parse(parseDay(values[day]))] as const);
  return Object.fromEntries(days.filter(([, times]) => times.length > 0));
}

export function weekInputs(view: View, edit: Edit<ShownOfWeek>, always: string): Html {
  const words = WEEK_WORDS[view.language];
  const of = inputsOf(view, edit, {
    fields: { ...words.weekdays, always },
    hints: {},
    wrong: Object.fromEntries(WEEKDAYS.map((day) => [day, words.wrong])),
  });
  return html`${tickBox(of('always'))}
    <div class="table week">
      <table>
        <caption class="unseen">
          ${words.caption}
        </caption>
        <tbody>
          ${WEEKDAYS.map((day) => {
            const { label, value, error } = of(day);
            return html`<tr>
              <th scope="row">${label}</th>
              <td>
                <div class="openings">${openingInputs(view, { day, label, value })}</div>
                ${error !== undefined && html`<strong class="error">${error}</strong>`}
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
}

/** Room for one more than there are. */
function openingInputs(
  { language }: View,
  { day, label, value }: { day: Weekday; label: string; value: string },
): Html[] {
  const { opens, closes } = WEEK_WORDS[language];
  const times = parseDay(value);
  const shown = Math.min(MOST, Math.max(FEWEST, times.length + 1));
  const time = (nr: number, end: 'from' | 'to', at: string, what: string) =>
    html`<input
      type="time"
      name="${nameOf(day, nr, end)}"
      value="${at === '24:00' ? '00:00' : at}"
      aria-label="${label} ${nr + 1}, ${what}"
    />`;
  return Array.from({ length: shown }, (_, nr) => {
    const [from = '', to = ''] = times[nr] ?? [];
    return html`<span>${time(nr, 'from', from, opens)} – ${time(nr, 'to', to, closes)}</span>`;
  });
}

const nameOf = (day: Weekday, nr: number, end: 'from' | 'to') => `${day}-${nr}-${end}`;

/** `09:00-13:00 14:00-24:00`; one with an end missing stays, to be told of. */
function sentDay(form: URLSearchParams, day: Weekday): string | undefined {
  const numbers = Array.from({ length: MOST }, (_, nr) => nr);
  const isThere = numbers.some((nr) => form.has(nameOf(day, nr, 'from')) || form.has(nameOf(day, nr, 'to')));
  if (!isThere) return undefined;
  return numbers
    .map((nr) => [form.get(nameOf(day, nr, 'from')) ?? '', form.get(nameOf(day, nr, 'to')) ?? ''] as const)
    .filter((times) => times.join('') !== '')
    .map(([from, to]) => `${from}-${to === '00:00' ? '24:00' : to}`)
    .join(' ');
}

function parseDay(text: string): string[][] {
  return text === '' ? [] : text.split(' ').map((times) => times.split('-'));
}
