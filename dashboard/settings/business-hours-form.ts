import {
  businessHoursSchema,
  WEEKDAYS,
  type BusinessHours,
} from '../../domain/clinic/business-hours.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { SETTINGS_WORDS } from './words.ts';

type Weekday = (typeof WEEKDAYS)[number];

/** Openings of a day that can be filled in at least; docs/clinic-settings.md#business-hours */
const FEWEST = 2;
const MOST = 10;

const nameOf = (day: Weekday, nr: number, end: 'from' | 'to') => `${day}-${nr}-${end}`;

/**
 * The week as its form has it. Null: open all day, every day. `wrong`: it is no week.
 * @param wasAlways so that whoever fills in times for the first time need not take the tick away
 */
export function readBusinessHours(form: URLSearchParams, wasAlways: boolean): BusinessHours | null | 'wrong' {
  const days = WEEKDAYS.map((day) => [day, openingsOf(form, day)] as const);
  const isFilledIn = days.some(([, openings]) => openings.length > 0);
  if (form.get('always') === 'yes' && !(wasAlways && isFilledIn)) return null;
  const read = businessHoursSchema.safeParse(
    Object.fromEntries(days.filter(([, openings]) => openings.length > 0)),
  );
  return read.success ? read.data : 'wrong';
}

/** One with an end missing stays, to be told of. */
function openingsOf(form: URLSearchParams, day: Weekday): [string, string][] {
  return Array.from({ length: MOST }, (_, nr): [string, string] => {
    const [from, to] = [form.get(nameOf(day, nr, 'from')) ?? '', form.get(nameOf(day, nr, 'to')) ?? ''];
    return [from, to === '00:00' ? '24:00' : to];
  }).filter((opening) => opening.join('') !== '');
}

/** The fields of a form that holds a week. */
export function writeBusinessHours(hours: BusinessHours | null): URLSearchParams {
  const form = new URLSearchParams();
  if (hours === null) form.set('always', 'yes');
  for (const day of WEEKDAYS) {
    for (const [nr, [from, to]] of (hours?.[day] ?? []).entries()) {
      form.set(nameOf(day, nr, 'from'), from);
      form.set(nameOf(day, nr, 'to'), to === '24:00' ? '00:00' : to);
    }
  }
  return form;
}

export function businessHoursFields({ language }: View, given: URLSearchParams): Html {
  const words = SETTINGS_WORDS[language];
  return html`${tickBox('always', words.always, given.get('always') === 'yes')}
    <div class="table week">
      <table>
        <caption class="unseen">
          ${words.hours}
        </caption>
        <tbody>
          ${WEEKDAYS.map(
            (day) =>
              html`<tr>
                <th scope="row">${words.weekdays[day]}</th>
                <td><div class="openings">${openingFields(day, given, words)}</div></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** Room for one more than there are. */
function openingFields(day: Weekday, given: URLSearchParams, words: (typeof SETTINGS_WORDS)['en']): Html[] {
  const places = Array.from({ length: MOST }, (_, nr) => nr);
  const last = places.findLast(
    (nr) => given.get(nameOf(day, nr, 'from')) ?? given.get(nameOf(day, nr, 'to')),
  );
  const shown = Math.min(MOST, Math.max(FEWEST, (last ?? -1) + 2));
  const time = (nr: number, end: 'from' | 'to', label: string) =>
    html`<input
      type="time"
      name="${nameOf(day, nr, end)}"
      value="${given.get(nameOf(day, nr, end)) ?? ''}"
      aria-label="${words.weekdays[day]} ${nr + 1}, ${label}"
    />`;
  return places
    .slice(0, shown)
    .map((nr) => html`<span>${time(nr, 'from', words.opens)} – ${time(nr, 'to', words.closes)}</span>`);
}
