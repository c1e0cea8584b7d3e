import { Gauge, type Registry } from 'prom-client';
import { findOverdueNoShows } from '../db/appointments/overdue-no-shows.ts';
import type { Database } from '../db/connection/open-database.ts';
import { findOverdueDeliveries } from '../db/webhooks/overdue-deliveries.ts';
import { STANDARD_TIMINGS } from '../domain/timings.ts';

const ATTEMPTS = STANDARD_TIMINGS.retryDelaysSeconds.length + 1;

/** What the rows say should have happened and has not; the returned function reads them anew. */
export function createOverdueGauges(
  registry: Registry,
  database: Database,
  noShowGraceSeconds: number,
): () => Promise<void> {
  const registers = [registry];
  const deliveries = new Gauge({
    name: 'webhook_deliveries_overdue',
    help: 'Open deliveries whose next attempt is overdue, by the number of that attempt',
    labelNames: ['status', 'attempt'],
    registers,
  });
  const noShows = new Gauge({
    name: 'no_shows_overdue',
    help: 'Confirmed appointments that should be no-shows',
    registers,
  });
  return async () => {
    const overdue = await findOverdueDeliveries(database.em());
    const unmarked = await findOverdueNoShows(database.em(), noShowGraceSeconds);
    deliveries.set({ status: 'pending', attempt: 1 }, 0);
    for (let attempt = 2; attempt <= ATTEMPTS; attempt += 1)
      deliveries.set({ status: 'retrying', attempt }, 0);
    for (const { status, attempt, count } of overdue) deliveries.set({ status, attempt }, count);
    noShows.set(unmarked?.count ?? 0);
  };
}
