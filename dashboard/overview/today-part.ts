import type { CountedDay, AgendaEntry } from '../../db/appointments/lists/agenda.ts';
import { html, type Html } from '../../pages/html.ts';
import { agendaTable } from '../appointments/agenda-table.ts';
import type { View } from '../layout/view.ts';
import { OVERVIEW_WORDS } from './words.ts';

export interface Today {
  counted: CountedDay;
  /** Whoever is expected, the late ones first. */
  left: readonly AgendaEntry[];
}

/** How today's appointments stand, and who comes next. */
export function todayPart(view: View, { counted, left }: Today): Html {
  const words = OVERVIEW_WORDS[view.language];
  return html`<h2>${words.today}, ${view.format.day(view.now)}</h2>
    ${counts(view, counted)}
    <h3>${words.left}</h3>
    ${
      left.length === 0
        ? html`<p class="empty">${words.noneLeft}</p>`
        : agendaTable(view, left, { caption: words.left, withProfessional: true })
    }
    <p class="next"><a id="whole-day" href="/appointments">${words.wholeDay}</a></p>`;
}

/** Only what there is; late ones would be missed, so they stand out. */
function counts(view: View, { confirmed, late, attended, no_show: noShow, cancelled }: CountedDay): Html {
  const { counted } = OVERVIEW_WORDS[view.language];
  const all = [
    { count: confirmed - late, words: counted.ahead, isAlways: true },
    { count: late, words: counted.late, className: 'waiting' },
    { count: attended, words: counted.attended, isAlways: true },
    { count: noShow, words: counted.noShow },
    { count: cancelled, words: counted.cancelled },
  ];
  return html`<ul class="counts">
    ${all
      .filter(({ count, isAlways = false }) => isAlways || count > 0)
      .map(
        ({ count, words, className = '' }) =>
          html`<li class="${className}">
            <strong class="figure">${view.format.number(count)}</strong> ${words}
          </li>`,
      )}
  </ul>`;
}
