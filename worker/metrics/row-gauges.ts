import { Gauge, type Registry } from '@prometheus-io/client';
import { createCachedAnswer } from '../../adapters/timing/cached-answer.ts';
import { findOverdueNoShows } from '../../db/appointments/no-shows.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { findOutboxByKind } from '../../db/outbox/outbox-backlog.ts';
import {
  countDeliveriesOnTime,
  findOverdueDeliveries,
  type OverdueDeliveries,
} from '../../db/webhooks/deliveries/overdue-deliveries.ts';
import { findWebhookStock } from '../../db/webhooks/webhook-stock.ts';
import { OUTBOX_KINDS } from '../../domain/outbox-message.ts';
import { RETRY_DELAYS_SECONDS } from '../../domain/webhooks/retry-schedule.ts';

/** Limits how often the rows are read. With a large backlog a read takes seconds and must not keep PostgreSQL busy. */
const TIMES = { deadlineMs: 5000, freshMs: 5000, restFactor: 10 };

const GAUGES = {
  outbox_pending: { help: 'Outbox rows that have not been processed yet', labelNames: ['kind'] },
  outbox_failing: { help: 'Outbox rows that have failed at least once', labelNames: ['kind'] },
  outbox_oldest_age_seconds: {
    help: 'Age of the oldest outbox row that waits to be processed',
    labelNames: ['kind'],
  },
  webhook_deliveries_open: { help: 'Deliveries that are not final', labelNames: ['status'] },
  webhook_deliveries_overdue: {
    help: 'Open deliveries whose next attempt is overdue, by the number of that attempt',
    labelNames: ['status', 'attempt'],
  },
  webhook_retries_put_off: {
    help: 'Retries that are overdue because earlier attempts to the same receiver come first',
    labelNames: [],
  },
  webhook_endpoints: { help: 'Endpoints by status, without deleted endpoints', labelNames: ['status'] },
  no_shows_overdue: { help: 'Confirmed appointments that should be no-shows', labelNames: [] },
  mails_due: { help: 'Emails that have not been sent yet', labelNames: [] },
  mails_oldest_due_age_seconds: {
    help: 'Age of the oldest email that has not been sent yet',
    labelNames: [],
  },
} as const satisfies Record<string, { help: string; labelNames: readonly string[] }>;

type GaugeName = keyof typeof GAUGES;
/** Samples with the same labels are added up. */
type Sample = readonly [labels: Record<string, string | number>, value: number];

export interface RowGaugesDependencies {
  database: Database;
  /** Finds overdue retries whose workflow is missing in Temporal; null when unknown. */
  findLost: () => Promise<OverdueDeliveries[] | null>;
}

/**
 * Creates gauges that are computed from rows, and returns the function that reads them again. Values that cannot be
 * read are left out, or NaN for gauges without labels.
 */
export function createRowGauges(registry: Registry, { database, findLost }: RowGaugesDependencies) {
  const registers = [registry];
  const gauges = Object.entries(GAUGES).map(([name, how]) => ({
    name: name as GaugeName,
    labelNames: how.labelNames,
    gauge: new Gauge<string>({ name, ...how, registers }),
  }));
  const read = createCachedAnswer(() => readRows(database), TIMES);
  return async () => {
    const [rows, lost] = await Promise.all([read(), findLost()]);
    const found = rows && { ...rows, overdue: [...rows.overdue, ...(lost ?? [])] };
    const samples = found && samplesOf(found, RETRY_DELAYS_SECONDS.length + 1);
    for (const { name, labelNames, gauge } of gauges) {
      gauge.reset();
      const unknown: Sample[] = labelNames.length === 0 ? [[{}, NaN]] : [];
      for (const [labels, value] of samples?.[name] ?? unknown) gauge.inc(labels, value);
    }
  };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

/** Reads the rows one query at a time, so that a scrape uses one connection. */
async function readRows(database: Database) {
  const em = database.em();
  return {
    outbox: await findOutboxByKind(em),
    stock: await findWebhookStock(em),
    overdue: await findOverdueDeliveries(em),
    inTurn: await countDeliveriesOnTime(em),
    unmarked: await findOverdueNoShows(em),
  };
}

function samplesOf(
  { outbox, stock, overdue, inTurn, unmarked }: Rows,
  attempts: number,
): Record<GaugeName, Sample[]> {
  const kinds = new Map(OUTBOX_KINDS.map((kind) => [kind, NOTHING_OF_KIND]));
  for (const { kind, ...found } of outbox) kinds.set(kind, found);
  const byKind = (fact: keyof typeof NOTHING_OF_KIND): Sample[] =>
    [...kinds].map(([kind, found]) => [{ kind }, found[fact]]);
  const { count, oldestAgeSeconds } = stock.mailsDue;
  return {
    outbox_pending: byKind('pending'),
    outbox_failing: byKind('failing'),
    outbox_oldest_age_seconds: byKind('oldestAgeSeconds'),
    webhook_deliveries_open: byStatus(stock.openDeliveries),
    webhook_deliveries_overdue: [
      ...noneOverdue(attempts),
      ...overdue.map(({ status, attempt, count: late }): Sample => [{ status, attempt }, late]),
    ],
    webhook_retries_put_off: [[{}, inTurn.retriesInLine]],
    webhook_endpoints: byStatus(stock.endpoints),
    no_shows_overdue: [[{}, unmarked?.count ?? 0]],
    mails_due: [[{}, count]],
    mails_oldest_due_age_seconds: [[{}, oldestAgeSeconds]],
  };
}

const NOTHING_OF_KIND = { pending: 0, failing: 0, oldestAgeSeconds: 0 };

function byStatus(counts: Record<string, number>): Sample[] {
  return Object.entries(counts).map(([status, count]) => [{ status }, count]);
}

function noneOverdue(attempts: number): Sample[] {
  const retries = Array.from({ length: attempts - 1 }, (_, at): Sample => [
    { status: 'retrying', attempt: at + 2 },
    0,
  ]);
  return [[{ status: 'pending', attempt: 1 }, 0], ...retries];
}
