import { untilReached } from '../adapters/connections/until-reached.ts';
import type { Logger } from '../adapters/logs/logger.ts';
import { pause } from '../adapters/timing/pause.ts';
import type { WorkerLease } from './outbox/worker-lease.ts';

const LOOK_EVERY_MS = 1000;

/** Workers of some task queues. */
export interface RunningWorkers {
  /** Settles with the first one that ends. */
  ended: Promise<void>;
  /** Takes no more tasks and waits for those under way. Rejects when one has failed. */
  stop: () => Promise<void>;
}

interface Options {
  lease: Pick<WorkerLease, 'mayHaveLapsed'>;
  /** Rejects unless Temporal answers. */
  reachTemporal: () => Promise<unknown>;
  logger: Logger;
}

/**
 * Workers that leave their queues while this process does not reach the database, and join them again. Cut off alone, it would take
 * the tasks, fail them at once and so be the first to take them again, before the workers that could carry them out.
 */
export async function whileLeaseLasts(
  start: () => Promise<RunningWorkers>,
  { lease, reachTemporal, logger }: Options,
): Promise<RunningWorkers> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let workers = await start();
  const takeTurns = async (): Promise<void> => {
    for (;;) {
      await Promise.race([workers.ended, untilLapsed(lease, signal)]);
      if (signal.aborted || !lease.mayHaveLapsed()) return;
      logger.warn('worker.queues_left');
      await workers.stop();
      while (lease.mayHaveLapsed() && !signal.aborted) await pause(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      await untilReached('temporal', reachTemporal, { logger, signal });
      workers = await start();
      logger.info('worker.queues_joined');
    }
  };
  const ended = takeTurns();
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      stopping.abort();
      await Promise.allSettled([ended]);
      await workers.stop();
    },
  };
}

/** Seen twice, because a process that stood still finds its lease lapsed and renews it at once. Ends at `signal` too. */
async function untilLapsed(lease: Options['lease'], signal: AbortSignal): Promise<void> {
  for (let seen = 0; seen < 2 && !signal.aborted;) {
    await pause(LOOK_EVERY_MS, signal);
    seen = lease.mayHaveLapsed() ? seen + 1 : 0;
  }
}
