import { z } from 'zod';
import { opening, WEEKDAYS } from '../../domain/clinic/hours/business-hours.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { inputsOf } from '../edits/edit-parts.ts';
import type { FormField, FormFields, Values } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import { showTicked, ticked } from '../filled-in.schema.ts';
import { tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import {
  COPY,
  MOST,
  openingInputs,
  parseTimes,
  sentTimes,
  textOfTimes,
  type Openings,
} from './opening-inputs.ts';
import { WEEK_WORDS } from './words.ts';

export type Weekday = (typeof WEEKDAYS)[number];
/** The openings of a week; a missing day has none. */
type Week = Partial<Record<Weekday, Openings>>;

/** How a week is saved. */
export type ShownOfWeek = Record<Weekday, Openings> & {
  /** Whether no week is set, so that the hours are not limited. */
  always: boolean;
};

const openings = z.array(opening).max(MOST);

/**
 * A form for a week.
 * @param weekOf returns null when there is no own week
 * @param rule the rule for a day, as in the API
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

/** The week to save; null when there is none. Entering times for the first time also clears the checkbox. */
export function weekIn(changes: Partial<ShownOfWeek>, values: Values<ShownOfWeek>): Week | null {
  const hasNewTimes = WEEKDAYS.some((day) => (changes[day] ?? []).length > 0);
  const isAlways = changes.always ?? (values.always === 'yes' && !hasNewTimes);
  if (isAlways) return null;
  const days = WEEKDAYS.map((day) => [day, openings.parse(parseTimes(values[day]))] as const);
  return Object.fromEntries(days.filter(([, times]) => times.length > 0));
}

/** Saves Monday's times for the days until Friday too. After the button that only saves, which the Enter key presses. */
export function copyButton({ language }: View): Html {
  return html`<button class="second" name="${COPY}" value="mon">${WEEK_WORDS[language].copy}</button>`;
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
