import type { EndpointStretch } from '../../../db/webhooks/endpoints/endpoint-statistics.ts';
import { html, type Html } from '../../../pages/html.ts';
import { table } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { FIGURE_WORDS } from './figure-words.ts';

/** The most deliveries counted per hour of the last day, and per day of the last month. */
export const MAX_OF_A_STRETCH = 100;

/** An endpoint's performance over a day and over a month. */
export interface Courses {
  day: readonly EndpointStretch[];
  month: readonly EndpointStretch[];
}

/** Delivered events and response times, over a day and a month. */
export function endpointFigures(view: View, { day, month }: Courses): Html {
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
