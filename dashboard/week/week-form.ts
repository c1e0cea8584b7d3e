import { z } from 'zod';
import { opening, WEEKDAYS } from '../../domain/clinic/hours/business-hours.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { inputsOf } from '../edits/edit-parts.ts';
import type { FormField, FormFields, Values } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import { showTicked, ticked } from '../filled-in.schema.ts';
import { tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { MOST, openingInputs, parseTimes, sentTimes, textOfTimes, type Openings } from './opening-inputs.ts';
import { WEEK_WORDS } from './words.ts';

export type Weekday = (typeof WEEKDAYS)[number];
/** A day that is left out has none. */
type Week = Partial<Record<Weekday, Openings>>;

/** What a form of a week is saved as. */
export type ShownOfWeek = Record<Weekday, Openings> & {
  /** There are no times of its own. */
  always: boolean;
};

const openings = z.array(opening).max(MOST);

/**
 * The form of a week.
 * @param weekOf null: it has no times of its own
 * @param rule of a day, as the API has it
 */
export function weekForm<Row>(
  weekOf: (row: Row) => Week | null,
  rule: z.ZodType<Openings, string[][]> = openings,
): FormFields<Row, ShownOfWeek> {
  const day = (name: Weekday): FormField<Row, Openings> => ({
    read: z.string().transform(parseTimes).pipe(rule),
    show: (row) => textOfTimes(weekOf(row)?.[name] ?? []),
    sent: (form) => sentTimes(form, name),
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
 * The week that a form asks for; null: none of its own. Anyone who fills in times for the first time need not take the tick
 * away as well.
 */
export function weekIn(changes: Partial<ShownOfWeek>, values: Values<ShownOfWeek>): Week | null {
  const hasNewTimes = WEEKDAYS.some((day) => (changes[day] ?? []).length > 0);
  const isAlways = changes.always ?? (values.always === 'yes' && !hasNewTimes);
  if (isAlways) return null;
  const days = WEEKDAYS.map((day) => [day, openings.parse(parseTimes(values[day]))] as const);
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
                <div class="openings">${openingInputs(view, { name: day, label, value })}</div>
                ${error !== undefined && html`<strong class="error">${error}</strong>`}
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
}
