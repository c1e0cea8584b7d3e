import type { BookingsOfHour, DeliveriesOfHour } from '../../db/clinic/counts-by-hour.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { barChart, byHour, type BarChart } from '../layout/bar-chart.ts';
import type { View } from '../layout/view.ts';
import { OVERVIEW_WORDS } from './words.ts';

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
      ${bookingsCard(view, lastDay)} ${mayUse(view.session, 'webhooks') && deliveriesCard(view, lastDay)}
    </div>`;
}

/** Deliveries that failed or were skipped. */
export function lostOf(deliveries: readonly DeliveriesOfHour[]): number {
  return deliveries.reduce((sum, { lost }) => sum + lost, 0);
}

function bookingsCard(view: View, { bookings, since }: LastDay): Html {
  const words = OVERVIEW_WORDS[view.language];
  const hours = byHour(bookings.map(({ hour, bookings: good }) => ({ hour, good, bad: 0 })));
  return card(view, {
    title: words.bookings,
    address: '/appointments',
    hours,
    since,
    empty: words.noBookings,
  });
}

function deliveriesCard(view: View, { deliveries, since }: LastDay): Html {
  const words = OVERVIEW_WORDS[view.language];
  const lost = lostOf(deliveries);
  const failures = deliveries.reduce((sum, each) => sum + each.failures, 0);
  const hours = byHour(
    deliveries.map(({ hour, deliveries: all, failures: bad }) => ({ hour, good: all - bad, bad })),
  );
  const failed = html`<p class="more">
    ${words.failures(view.format.number(failures))}
    ${lost > 0 ? words.lost(view.format.number(lost)) : words.noneLost}
  </p>`;
  return card(view, {
    title: words.deliveries,
    address: '/integrations/deliveries',
    hours,
    since,
    empty: words.noDeliveries,
    more: failures > 0 && failed,
  });
}

interface Card extends BarChart {
  title: string;
  address: string;
  more?: Part;
}

function card(view: View, { title, address, more, ...chart }: Card): Html {
  const { atLeast } = OVERVIEW_WORDS[view.language];
  const total = chart.hours.reduce((sum, { good, bad }) => sum + good + bad, 0);
  return html`<section class="card">
    <h3><a href="${address}">${title}</a></h3>
    ${total > 0 && html`<p class="figure">${total >= MAX_COUNTED && atLeast} ${view.format.number(total)}</p>`}
    ${barChart(view, chart)} ${more}
  </section>`;
}
