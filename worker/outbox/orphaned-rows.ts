import type { Logger } from '../../adapters/logs/logger.ts';
import { pause } from '../../adapters/timing/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { endLapsedLeases, findOrphaningLeases, freeRowsOf } from '../../db/outbox/worker-lease.ts';
import type { WorkerLease } from './worker-lease.ts';

const LOOK_EVERY_MS = 1000;
/** A worker that dies between the end of a lease and the freeing of its rows leaves them until then. */
const LOOK_AT_ALL_EVERY_MS = 30_000;

interface Options {
  database: Database;
  lease: WorkerLease;
  logger: Logger;
  onFreed: () => void;
}

/** Frees rows whose worker lives no more, until `signal`. Apart from the renewal of the own lease, which must wait for no row. */
export async function freeOrphanedRows(options: Options, signal: AbortSignal): Promise<void> {
  const { database, lease, logger, onFreed } = options;
  let lookedAtAllMs = -Infinity;
  while (!signal.aborted) {
    const looksAtAll = performance.now() - lookedAtAllMs >= LOOK_AT_ALL_EVERY_MS;
    try {
      const judge = lease.judge();
      const freed = judge === null ? null : await free(database, judge, looksAtAll);
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

/** Returns how many rows. */
async function free(database: Database, judge: string, looksAtAll: boolean): Promise<number> {
  const em = database.outbox();
  const ended = await endLapsedLeases(em, judge);
  if (looksAtAll) ended.push(...(await findOrphaningLeases(em)));
  return ended.length === 0 ? 0 : freeRowsOf(em, ended);
}
