import { localDay } from '../../domain/clinic/hours/local-day.ts';
import { html, type Html } from '../../pages/html.ts';
import { inputsOf } from '../edits/edit-parts.ts';
import { namesOf, type FormFields } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import type { View } from '../layout/view.ts';
import { CLOSED, isDate, NEW_ROWS, type ShownOfDates } from './dates-form.ts';
import { openingInputs } from './opening-inputs.ts';
import { WEEK_WORDS } from './words.ts';

interface Row {
  name: string;
  label: string;
  value: string;
  error?: string | undefined;
}

/** A row for each date, and empty rows for new dates. */
export function datesInputs(view: View, edit: Edit<ShownOfDates>): Html {
  const { dates: words, wrong: wrongTimes } = WEEK_WORDS[view.language];
  const all = Object.keys(edit.values);
  const by = <Value>(of: (date: string) => Value) => Object.fromEntries(all.map((date) => [date, of(date)]));
  const row = inputsOf(
    view,
    edit,
    {
      fields: by((date) => nameOfDate(view, date)),
      hints: {},
      wrong: by((date) => (isDate(date) ? wrongTimes : words.noDate)),
    },
    by(() => (value: string) => (value === CLOSED ? words.closed : value)),
  );
  const unclear = all.filter((date) => !isDate(date));
  return html`<div class="table week">
    <table>
      <caption class="unseen">
        ${words.caption}
      </caption>
      <tbody>
        ${all.filter(isDate).map((date) => dateRow(view, row(date)))}
        ${NEW_ROWS.map((name, nr) => {
          const date = unclear[nr];
          const { value, error } = date === undefined ? { value: '' } : row(date);
          return newRow(view, { name, label: `${words.newDate} ${nr + 1}`, value, error }, date ?? '');
        })}
      </tbody>
    </table>
  </div>`;
}

/** The labels of the dates. */
export function datesWords(view: View, fields: FormFields<never, ShownOfDates>) {
  return { fields: Object.fromEntries(namesOf(fields).map((date) => [date, nameOfDate(view, date)])) };
}

/** The name of a date, such as Thursday 24 December 2026. */
function nameOfDate({ format }: View, date: string): string {
  const day = localDay(date, format.zone);
  return day ? format.dayTitle(day.from) : date;
}

function dateRow(view: View, { name, label, value, error }: Row): Html {
  const { usual } = WEEK_WORDS[view.language].dates;
  return html`<tr>
    <th scope="row">${label}</th>
    <td>
      ${openings(view, { name, label, value, error })}
      <label class="choice"
        ><input type="checkbox" name="${name}-none" value="yes" ${value === '' && html`checked`} />
        <span>${usual}<span class="unseen">: ${label}</span></span></label
      >
    </td>
  </tr>`;
}

function newRow(view: View, row: Row, date: string): Html {
  const words = WEEK_WORDS[view.language].dates;
  return html`<tr>
    <th scope="row">
      <input type="date" name="${row.name}-date" value="${date}" aria-label="${row.label}: ${words.date}" />
    </th>
    <td>${openings(view, row)}</td>
  </tr>`;
}

function openings(view: View, { name, label, value, error }: Row): Html {
  const times = value === CLOSED ? '' : value;
  return html`<div class="openings">${openingInputs(view, { name, label, value: times })}</div>
    ${error !== undefined && html`<strong class="error">${error}</strong>`}`;
}
