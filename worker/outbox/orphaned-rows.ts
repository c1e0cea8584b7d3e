import type { Logger } from '../../adapters/logs/logger.ts';
import { pause } from '../../adapters/timing/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { endLapsedLeases, findOrphaningLeases, freeRowsOf } from '../../db/outbox/lease-rows.ts';
import type { WorkerLease } from './worker-lease.ts';

const LOOK_EVERY_MS = 1000;
/** A worker that dies after a lease ended and before it freed the rows leaves them until this time. */
const LOOK_AT_ALL_EVERY_MS = 30_000;

interface Options {
  database: Database;
  lease: WorkerLease;
  logger: Logger;
  onFreed: () => void;
}

/** Frees the rows of workers that have died, until `signal`. A loop of its own, because the renewal of this worker's lease must not wait for rows. */
export async function freeOrphanedRows(options: Options, signal: AbortSignal): Promise<void> {
  const { database, lease, logger, onFreed } = options;
  let lookedAtAllMs = -Infinity;
  while (!signal.aborted) {
    const looksAtAll = performance.now() - lookedAtAllMs >= LOOK_AT_ALL_EVERY_MS;
    try {
      const observer = lease.observer();
      const freed = observer === null ? null : await free(database, observer, looksAtAll);
      if (freed !== null && looksAtAll) lookedAtAllMs = performance.now();
      if (freed) logger.warn({ freed }, 'outbox.rows_freed');
      if (freed) onFreed();
    } catch (error) {
      lookedAtAllMs = -Infinity;
      logger.warn({ err: error }, 'outbox.rows_not_freed');
    }
    await pause(LOOK_EVERY_MS, signal);
  }
}

/** Returns the number of rows. */
async function free(database: Database, observer: string, looksAtAll: boolean): Promise<number> {
  const em = database.outbox();
  const ended = await endLapsedLeases(em, observer);
  if (looksAtAll) ended.push(...(await findOrphaningLeases(em)));
  return ended.length === 0 ? 0 : freeRowsOf(em, ended);
}
