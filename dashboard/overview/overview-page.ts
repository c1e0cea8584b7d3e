import type { FirstSteps } from '../../db/clinic/first-steps.ts';
import { html, type Html } from '../../pages/html.ts';
import { live } from '../layout/components.ts';
import { localDayOf } from '../../domain/clinic/hours/local-day.ts';
import { plural } from '../language/language.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { attentionPart, type Attention } from './attention-part.ts';
import { lastDayPart, type LastDay } from './last-day-part.ts';
import type { CountedDay, AgendaEntry } from '../../db/appointments/lists/agenda.ts';
import { agendaTable } from '../appointments/agenda-table.ts';
import { OVERVIEW_WORDS } from './words.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { NEW_ENDPOINT } from '../webhooks/endpoints/new-endpoint-page.ts';

export interface Overview {
  today: Today;
  attention: Attention;
  lastDay: LastDay;
  steps: FirstSteps;
  /** A confirmation of what was just done. */
  done: Html | null;
}

/** How often the page refreshes; it counts the rows of a day. */
const REFRESH_SECONDS = 60;

/** What needs attention, then today; a new clinic first sees its setup steps. */
export function overviewPage(view: View, { today, attention, lastDay, steps, done }: Overview): Page {
  const { isQuiet, part } = attentionPart(view, attention);
  const kept = html`${!isQuiet && part} ${todayPart(view, today)} ${isQuiet && part}
  ${lastDayPart(view, lastDay)}`;
  return {
    title: FRAME_WORDS[view.language].sections.overview,
    body: html`${done} ${!steps.appointments && firstSteps(view, steps)}
    ${live('overview', REFRESH_SECONDS, kept)} ${steps.appointments && firstSteps(view, steps)}`,
  };
}

interface Today {
  counted: CountedDay;
  /** Expected patients, late ones first. */
  left: readonly AgendaEntry[];
}

/** Today's appointments by status, and the next ones. */
function todayPart(view: View, { counted, left }: Today): Html {
  const words = OVERVIEW_WORDS[view.language];
  return html`<h2>${words.today}, ${view.format.day(view.now)}</h2>
    ${counts(view, counted)}
    <h3>${words.left}</h3>
    ${
      left.length === 0
        ? html`<p class="empty">${words.noneLeft}</p>`
        : agendaTable(view, left, { caption: words.left, day: localDayOf(view.now, view.format.zone) })
    }
    <p class="next"><a id="whole-day" href="/appointments">${words.wholeDay}</a></p>`;
}

/** The numbers above zero; late appointments are highlighted. */
function counts(view: View, { confirmed, late, attended, no_show: noShow, cancelled }: CountedDay): Html {
  const { counted } = OVERVIEW_WORDS[view.language];
  const all = [
    { count: confirmed - late, forms: counted.ahead, isAlways: true },
    { count: late, forms: counted.late, className: 'waiting' },
    { count: attended, forms: counted.attended, isAlways: true },
    { count: noShow, forms: counted.noShow },
    { count: cancelled, forms: counted.cancelled },
  ];
  return html`<ul class="counts">
    ${all
      .filter(({ count, isAlways = false }) => isAlways || count > 0)
      .map(
        ({ count, forms, className = '' }) =>
          html`<li class="${className}">
            <strong class="figure">${view.format.number(count)}</strong>
            ${plural(view.language, count, forms)}
          </li>`,
      )}
  </ul>`;
}

/** Setup steps in order, with links. */
const STEPS = [
  ['hours', '/settings/hours'],
  ['professionals', '/settings/professionals'],
  ['services', '/settings/services'],
  ['receptionist', '/settings/receptionist'],
  ['booking', '/settings/booking'],
  ['key', '/integrations/keys/new'],
  ['endpoint', NEW_ENDPOINT],
  ['arrived', '/integrations/endpoints'],
] as const;

/** Steps that a clinic may leave out: a clinic that works without them has chosen to. */
const BY_CHOICE: ReadonlySet<string> = new Set(['receptionist', 'booking']);

/** The open setup steps; null when all are done. Collapsed if the clinic already works. */
function firstSteps(view: View, steps: FirstSteps): Html | null {
  const shown = steps.appointments ? STEPS.filter(([name]) => !BY_CHOICE.has(name)) : STEPS;
  const open = shown.filter(([name]) => !steps[name]);
  if (open.length === 0 || !mayUse(view.session, 'settings')) return null;
  const number = (value: number) => view.format.number(value);
  const words = OVERVIEW_WORDS[view.language].steps;
  const done = words.done(number(shown.length - open.length), number(shown.length));
  return html`<details class="card steps" ${!steps.appointments && html`open`}>
    <summary><strong>${words.title}</strong>: ${done}</summary>
    <ol>
      ${shown.map(([name, address]) => html`<li>${step(view, { name, address, isDone: steps[name] })}</li>`)}
    </ol>
  </details>`;
}

interface Step {
  name: (typeof STEPS)[number][0];
  address: string;
  isDone: boolean;
}

function step({ language }: View, { name, address, isDone }: Step): Html {
  const { steps, step: words } = OVERVIEW_WORDS[language];
  if (!isDone) return html`<a href="${address}">${words[name]}</a>`;
  return html`<span class="soft">${words[name]} ✓<span class="unseen"> ${steps.isDone}</span></span>`;
}
