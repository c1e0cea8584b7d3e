import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { OVERVIEW_WORDS } from './words.ts';

const HOUR_MS = 3_600_000;
/** Of the drawing, in its own units: a bar of an hour is one wide. */
const HEIGHT = 20;
const GAP = 0.2;

export interface HourChart {
  /** One number an hour, the earliest first. */
  values: readonly number[];
  /** When the first hour begins. */
  since: Date;
  tone?: 'bad';
}

/** One bar an hour, and the same in words for those who do not see it. */
export function hourChart(view: View, { values, since, tone }: HourChart): Html {
  const highest = Math.max(...values, 1);
  const bars = values.map((value, hour) => {
    // An hour with anything at all is seen.
    const height = value === 0 ? 0 : Math.max(1, (value / highest) * HEIGHT);
    return html`<rect
      x="${(hour + GAP / 2).toFixed(1)}"
      y="${(HEIGHT - height).toFixed(1)}"
      width="${1 - GAP}"
      height="${height.toFixed(1)}"
    />`;
  });
  return html`<svg
    class="chart"
    viewBox="0 0 ${values.length} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${inWords(view, values, since)}"
  >
    <g ${tone && html`class="${tone}"`}>${bars}</g>
  </svg>`;
}

function inWords({ language, format }: View, values: readonly number[], since: Date): string {
  const words = OVERVIEW_WORDS[language];
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return words.emptyChart;
  const most = Math.max(...values);
  const from = new Date(since.getTime() + values.indexOf(most) * HOUR_MS);
  return words.chart
    .replace('{total}', format.number(total))
    .replace('{most}', format.number(most))
    .replace('{from}', format.time(from))
    .replace('{to}', format.time(new Date(from.getTime() + HOUR_MS)));
}
