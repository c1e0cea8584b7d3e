import type { EndpointStretch } from '../../../db/webhooks/endpoints/endpoint-statistics.ts';
import { html, type Html } from '../../../pages/html.ts';
import { barChart, byHour, HOURS } from '../../layout/bar-chart.ts';
import { table } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { FIGURE_WORDS } from './figure-words.ts';

const HOUR_MS = 3_600_000;

/** The most deliveries counted per hour of the last day, and per day of the last month. */
export const MAX_OF_A_STRETCH = 100;

/** An endpoint's performance over a day and over a month. */
export interface Courses {
  day: readonly EndpointStretch[];
  month: readonly EndpointStretch[];
}

/** Accepted and failed attempts of the last day by hour; beside them figures of a day and of a month. */
export function endpointFigures(view: View, courses: Courses): Html {
  const words = FIGURE_WORDS[view.language];
  return html`<div class="beside">
    <section>
      <h2>${words.attempts}</h2>
      ${attemptsByHour(view, courses.day)}
    </section>
    <section>
      <h2>${words.title}</h2>
      ${figures(view, courses)}
    </section>
  </div>`;
}

/** By the hour of the delivery. */
function attemptsByHour(view: View, day: readonly EndpointStretch[]): Html {
  const counts = day.flatMap(({ stretch: hour, attempts, failures: bad }) =>
    hour === null ? [] : { hour, good: attempts - bad, bad },
  );
  const since = new Date(view.now.getTime() - HOURS * HOUR_MS);
  return barChart(view, { hours: byHour(counts), since, empty: FIGURE_WORDS[view.language].noAttempts });
}

function figures(view: View, { day, month }: Courses): Html {
  const { format, language } = view;
  const words = FIGURE_WORDS[language];
  const wholes = [wholeOf(day), wholeOf(month)];
  const row = (name: string, say: (whole: EndpointStretch) => string | null) => ({
    cells: [name, ...wholes.map((whole) => (whole && say(whole)) ?? '–')],
  });
  const answered = (ms: number | null) => (ms === null ? null : format.duration(ms));
  const isCut = [...day, ...month].some(isFull);
  return html`${table({
    caption: words.title,
    heads: [words.figure, words.day, words.month],
    rows: [
      row(
        words.deliveries,
        (whole) => `${format.number(whole.deliveries)}${isCutIn(whole, { day, month }) ? '+' : ''}`,
      ),
      row(words.succeeded, ({ attempts, failures }) =>
        attempts === 0 ? null : format.percent((attempts - failures) / attempts),
      ),
      row(words.half, ({ p50Ms }) => answered(p50Ms)),
      row(words.most, ({ p95Ms }) => answered(p95Ms)),
    ],
    empty: '',
  })}
  ${isCut && html`<p class="more">${words.cut(format.number(MAX_OF_A_STRETCH))}</p>`}`;
}

function wholeOf(course: readonly EndpointStretch[]): EndpointStretch | undefined {
  return course.find(({ stretch }) => stretch === null);
}

function isFull({ stretch, deliveries }: EndpointStretch): boolean {
  return stretch !== null && deliveries >= MAX_OF_A_STRETCH;
}

function isCutIn(whole: EndpointStretch, { day, month }: Courses): boolean {
  return (day.includes(whole) ? day : month).some(isFull);
}
