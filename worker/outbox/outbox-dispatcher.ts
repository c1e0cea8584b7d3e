import type { Logger } from '../../adapters/logger.ts';
import type { OutboxLane } from '../../db/outbox/outbox-rows.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { runOutboxLane } from './outbox-lane.ts';
import { listenToOutbox } from './outbox-listener.ts';
import { createWakeUp, type WakeUp } from './wake-up.ts';

/**
 * Deliveries have a lane without order and the larger share, so that they never wait behind no-show timers. Those of a
 * replay keep their order and therefore share the other lane with the timers.
 */
const CONCURRENCY: Record<OutboxLane, number> = { unordered: 16, ordered: 8 };
const LANES = ['unordered', 'ordered'] as const;

/** One for each lane. */
export interface OutboxWakeUps {
  byLane: Record<OutboxLane, WakeUp>;
  /** There may be rows to claim now that were not there, or not due, before. */
  ringAll: () => void;
}

export function createOutboxWakeUps(): OutboxWakeUps {
  const byLane = { ordered: createWakeUp(), unordered: createWakeUp() };
  return { byLane, ringAll: () => LANES.forEach((lane) => byLane[lane].ring()) };
}

export interface OutboxDispatcherOptions {
  /** Rung by whoever ends what rows may wait for. */
  wakeUps: OutboxWakeUps;
  databaseUrl: string;
  database: Database;
  carryOut: (message: OutboxMessage) => Promise<void>;
  logger: Logger;
}

export interface OutboxDispatcher {
  /** Takes no more rows, waits for the ones under way. */
  stop(): Promise<void>;
}

/** Carries outbox rows to Temporal, at least once each and in order per key. Any number of dispatchers may run. */
export function startOutboxDispatcher(options: OutboxDispatcherOptions): OutboxDispatcher {
  const stopping = new AbortController();
  const { byLane, ringAll } = options.wakeUps;
  const loops = [
    listenToOutbox({ ...options, onRing: ringAll }, stopping.signal),
    ...LANES.map((lane) => {
      const own = { lane, wakeUp: byLane[lane], concurrency: CONCURRENCY[lane] };
      return runOutboxLane({ ...options, ...own }, stopping.signal);
    }),
  ];
  return {
    async stop() {
      stopping.abort();
      ringAll();
      await Promise.all(loops);
    },
  };
}
