import { html, type Html } from '../../pages/html.ts';
import { filledIn, words } from '../language/language.ts';
import type { View } from './view.ts';

interface ChartedHour {
  /** What went well, or simply happened. */
  good: number;
  bad: number;
}

/** The hours of a chart. */
export const HOURS = 24;

export interface BarChart {
  /** All hours, earliest first. */
  hours: readonly ChartedHour[];
  /** The start of the first hour. */
  since: Date;
  /** Shown instead of a chart without bars. */
  empty: string;
}

const CHART_WORDS = words({
  en: {
    chart: '{total} in 24 hours{failed}; busiest hour: {most}, from {from} to {to}.',
    hour: '{from}–{to}: {total}{failed}',
    failed: (count: string) => `, ${count} failed`,
    legend: { good: 'succeeded', bad: 'failed' },
  },
  pt: {
    chart: '{total} em 24 horas{failed}; hora de maior movimento: {most}, das {from} às {to}.',
    hour: '{from}–{to}: {total}{failed}',
    failed: (count) => `, ${count} com falha`,
    legend: { good: 'com êxito', bad: 'com falha' },
  },
});

const HOUR_MS = 3_600_000;
/** The height of the drawing, in units of a bar's width. */
const HEIGHT = 20;
const GAP = 0.2;
/** A few deliveries do not fill the chart. */
const LEAST_SCALE = 5;
/** The hours between two labels of the axis. */
const HOURS_APART = 6;

const totalOf = ({ good, bad }: ChartedHour) => good + bad;

/** All hours of a chart, from the counts of those in which something happened. */
export function byHour(counts: readonly ({ hour: number } & ChartedHour)[]): ChartedHour[] {
  const hours = Array.from({ length: HOURS }, (): ChartedHour => ({ good: 0, bad: 0 }));
  for (const { hour, good, bad } of counts) if (hour < HOURS) hours[hour] = { good, bad };
  return hours;
}

/**
 * One bar per hour, with failures in their own colour, below a line with the number at its height. The numbers of the
 * hours appear when the chart is pointed at or has the focus; screen readers get a sentence.
 */
export function barChart(view: View, chart: BarChart): Html {
  const { hours, since, empty } = chart;
  const most = Math.max(...hours.map(totalOf));
  if (most <= 0) return html`<p class="soft">${empty}</p>`;
  const highest = Math.max(most, LEAST_SCALE);
  const said = inWords(view, chart);
  return html`<div class="chart" tabindex="0" role="img" aria-label="${said}">
    <p class="chart-numbers" data-top="${view.format.number(highest)}">
      ${hours.map((hour) => html`<span>${numbers(view, hour)}</span>`)}
    </p>
    <svg viewBox="0 0 ${hours.length} ${HEIGHT}" preserveAspectRatio="none">
      ${hours.map((hour, at) => bar(view, hour, { at, since, highest }))}
    </svg>
    <p>${times(view, hours.length, since)}</p>
    <p aria-hidden="true">${said}</p>
    ${hours.some(({ bad }) => bad > 0) && legend(view)}
  </div>`;
}

function legend({ language }: View): Html {
  const { good, bad } = CHART_WORDS[language].legend;
  return html`<p class="legend" aria-hidden="true">• ${good} <b>• ${bad}</b></p>`;
}

function numbers({ format }: View, hour: ChartedHour): Html | null {
  if (totalOf(hour) === 0) return null;
  return html`${format.number(totalOf(hour))}${hour.bad > 0 && html`<b>${format.number(hour.bad)}</b>`}`;
}

function bar(
  view: View,
  hour: ChartedHour,
  place: { at: number; since: Date; highest: number },
): Html | null {
  if (totalOf(hour) === 0) return null;
  const { at, since, highest } = place;
  const said = filledIn(CHART_WORDS[view.language].hour, {
    ...hourOf(view, since, at),
    total: view.format.number(totalOf(hour)),
    failed: failedOf(view, hour.bad),
  });
  // An hour that is not empty is always visible, and so is a failure.
  const whole = Math.max(1, (totalOf(hour) / highest) * HEIGHT);
  const bad = hour.bad === 0 ? 0 : Math.max(1, (hour.bad / highest) * HEIGHT);
  return html`<g>
    <title>${said}</title>
    ${rectangle(at, HEIGHT - whole, whole - bad)}
    ${bad > 0 && html`<g class="bad">${rectangle(at, HEIGHT - bad, bad)}</g>`}
  </g>`;
}

function rectangle(at: number, y: number, height: number): Html | null {
  if (height <= 0) return null;
  return html`<rect
    x="${(at + GAP / 2).toFixed(1)}"
    y="${y.toFixed(1)}"
    width="${1 - GAP}"
    height="${height.toFixed(1)}"
  />`;
}

function hourOf({ format }: View, since: Date, at: number) {
  const from = since.getTime() + at * HOUR_MS;
  return { from: format.time(new Date(from)), to: format.time(new Date(from + HOUR_MS)) };
}

/** The labels of the axis, each at the start of its part. */
function times({ format }: View, hours: number, since: Date): Html[] {
  return Array.from({ length: hours / HOURS_APART }, (_, part) => {
    const at = new Date(since.getTime() + part * HOURS_APART * HOUR_MS);
    return html`<span>${format.time(at)}</span>`;
  });
}

function inWords(view: View, { hours, since }: BarChart): string {
  const { language, format } = view;
  const totals = hours.map(totalOf);
  const most = Math.max(...totals);
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  return filledIn(CHART_WORDS[language].chart, {
    ...hourOf(view, since, totals.indexOf(most)),
    total: format.number(sum(totals)),
    failed: failedOf(view, sum(hours.map(({ bad }) => bad))),
    most: format.number(most),
  });
}

function failedOf({ language, format }: View, bad: number): string {
  return bad === 0 ? '' : CHART_WORDS[language].failed(format.number(bad));
}
