import type { BookingsOfHour, DeliveriesOfHour } from '../../db/clinic/counts-by-hour.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { OVERVIEW_WORDS } from './words.ts';

export const HOURS = 24;
/** Rows are counted up to this number. */
export const MAX_COUNTED = 10_000;

export interface LastDay {
  bookings: readonly BookingsOfHour[];
  deliveries: readonly DeliveriesOfHour[];
  /** The start of the first hour. */
  since: Date;
}

/** The last 24 hours by hour; deliveries only for people who may see them. */
export function lastDayPart(view: View, lastDay: LastDay): Html {
  const words = OVERVIEW_WORDS[view.language];
  return html`<h2>${words.lastDay}</h2>
    <div class="cards">
      ${bookingsCard(view, lastDay)} ${mayUse(view.session, 'webhooks') && deliveryCards(view, lastDay)}
    </div>
    <p class="more">${words.zone(view.format.zone)}</p>`;
}

/** Deliveries that failed or were skipped. */
export function lostOf(deliveries: readonly DeliveriesOfHour[]): number {
  return deliveries.reduce((sum, { lost }) => sum + lost, 0);
}

function bookingsCard(view: View, { bookings, since }: LastDay): Html {
  const { bookings: title } = OVERVIEW_WORDS[view.language];
  const values = byHour(bookings.map(({ hour, bookings: count }) => ({ hour, count })));
  return card(view, { title, address: '/appointments', values, since });
}

function deliveryCards(view: View, { deliveries, since }: LastDay): Html[] {
  const words = OVERVIEW_WORDS[view.language];
  const lost = lostOf(deliveries);
  const shared = { address: '/integrations/deliveries', since };
  return [
    card(view, {
      ...shared,
      title: words.deliveries,
      values: byHour(deliveries.map(({ hour, deliveries: count }) => ({ hour, count }))),
    }),
    card(view, {
      ...shared,
      title: words.failures,
      hint: lost > 0 ? words.lost(view.format.number(lost)) : words.noneLost,
      values: byHour(deliveries.map(({ hour, failures: count }) => ({ hour, count }))),
      tone: 'bad',
    }),
  ];
}

function byHour(counts: readonly { hour: number; count: number }[]): number[] {
  const values = Array.from({ length: HOURS }, () => 0);
  for (const { hour, count } of counts) if (hour < HOURS) values[hour] = count;
  return values;
}

interface Card {
  title: string;
  hint?: string;
  address: string;
  values: readonly number[];
  since: Date;
  tone?: 'bad';
}

function card(view: View, { title, hint, address, ...chart }: Card): Html {
  const { atLeast } = OVERVIEW_WORDS[view.language];
  const total = chart.values.reduce((sum, value) => sum + value, 0);
  return html`<section class="card">
    <h3><a href="${address}">${title}</a></h3>
    <p class="figure">${total >= MAX_COUNTED && atLeast} ${view.format.number(total)}</p>
    ${hourChart(view, chart)} ${hint && html`<p class="more">${hint}</p>`}
  </section>`;
}

const HOUR_MS = 3_600_000;
/** The height of the drawing, in units of a bar's width. */
const HEIGHT = 20;
const GAP = 0.2;
/** The hours between two labels of the axis. */
const HOURS_APART = 6;

interface HourChart {
  /** One number per hour, earliest first. */
  values: readonly number[];
  /** The start of the first hour. */
  since: Date;
  tone?: 'bad';
}

/** A bar chart with one bar per hour, and the same in words for screen readers. */
function hourChart(view: View, { values, since, tone }: HourChart): Html {
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
    // An hour that is not empty is always visible.
    const height = value === 0 ? 0 : Math.max(1, (value / highest) * HEIGHT);
    return html`<rect
      x="${(hour + GAP / 2).toFixed(1)}"
      y="${(HEIGHT - height).toFixed(1)}"
      width="${1 - GAP}"
      height="${height.toFixed(1)}"
    />`;
  });
}

/** The labels of the axis, each at the start of its part. */
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
