import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { OVERVIEW_WORDS } from './words.ts';

const HOUR_MS = 3_600_000;
/** Of the drawing, in its own units: a bar of an hour is one wide. */
const HEIGHT = 20;
const GAP = 0.2;
/** From one time at the axis to the next. */
const HOURS_APART = 6;

export interface HourChart {
  /** One number an hour, the earliest first. */
  values: readonly number[];
  /** When the first hour begins. */
  since: Date;
  tone?: 'bad';
}

/** One bar an hour between its axes, and the same in words for those who do not see it. */
export function hourChart(view: View, { values, since, tone }: HourChart): Html {
  const highest = Math.max(...values, 1);
  return html`<div class="chart-frame">
    <p class="chart-most" aria-hidden="true">${view.format.number(highest)}<span>0</span></p>
    <svg
      class="chart"
      viewBox="0 0 ${values.length} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${inWords(view, values, since)}"
    >
      <g ${tone && html`class="${tone}"`}>${bars(values, highest)}</g>
    </svg>
    <p class="chart-times" aria-hidden="true">${times(view, values.length, since)}</p>
  </div>`;
}

function bars(values: readonly number[], highest: number): Html[] {
  return values.map((value, hour) => {
    // An hour with anything at all is seen.
    const height = value === 0 ? 0 : Math.max(1, (value / highest) * HEIGHT);
    return html`<rect
      x="${(hour + GAP / 2).toFixed(1)}"
      y="${(HEIGHT - height).toFixed(1)}"
      width="${1 - GAP}"
      height="${height.toFixed(1)}"
    />`;
  });
}

/** Each at the beginning of its part of the axis. */
function times({ format }: View, hours: number, since: Date): Html[] {
  return Array.from({ length: hours / HOURS_APART }, (_, part) => {
    const at = new Date(since.getTime() + part * HOURS_APART * HOUR_MS);
    return html`<span>${format.time(at)}</span>`;
  });
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
