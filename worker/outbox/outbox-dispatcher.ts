import type { Logger } from '../../adapters/logs/logger.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { AttemptShares } from '../../sending/attempt-shares.ts';
import type { SendAttempt } from '../../sending/send-attempt.ts';
import type { StartWorkflow } from '../temporal/carry-out.ts';
import { Outage } from '../temporal/outage.ts';
import { StartRate } from '../temporal/start-rate.ts';
import type { TemporalDoor } from '../temporal/temporal-door.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { Bursts } from './bursts.ts';
import { FirstAttempts } from './first-attempts.ts';
import { runDeliveries, runMessages, runTimers, type CarryOut } from './message-loop.ts';
import { freeOrphanedRows } from './orphaned-rows.ts';
import { listenToOutbox } from './outbox-listener.ts';
import { WakeUp } from './wake-up.ts';
import { WorkerLease } from './worker-lease.ts';

export interface OutboxDispatcherOptions {
  databaseUrl: string;
  database: Database;
  temporal: Pick<TemporalDoor, 'opened'>;
  shares: AttemptShares;
  send: SendAttempt;
  start: StartWorkflow;
  /** DASHBOARD_URL, for links. */
  dashboardUrl?: string | null;
  /** TEMPORAL_STARTS_PER_SECOND */
  startsPerSecond: number;
  /** Rejects when Temporal does not answer. */
  reachTemporal: () => Promise<void>;
  carryOut: CarryOut;
  logger: Logger;
}

export type OutboxDispatcher = ReturnType<typeof startOutboxDispatcher>;

/**
 * Carries out what is in the outbox, at least once each. Any number of workers may run. A row goes this way:
 *
 * 1. A commit inserts it. A NOTIFY wakes the loops (`outbox-listener.ts`); without one each looks once a second (`wake-up.ts`).
 * 2. A loop claims it under its worker's lease (`worker-lease.ts`). While the lease is renewed, no other worker touches the row. Rows of a
 *    worker that was killed are freed 4 to 6 seconds later (`orphaned-rows.ts`).
 * 3. A delivery: `first-attempts.ts` claims as many as their receivers have room for and posts them at once. `attempt-recorder.ts`
 *    records what came of it. The same statement settles the row:
 *    - the attempt has succeeded: the row is deleted. The row of a burst lists the delivery, and `bursts.ts` starts the burst's workflow;
 *    - it has failed, or the start rate allows a workflow of its own: the row is marked `attempted` and free again.
 *    When the endpoint is off, the delivery is skipped and the row deleted.
 * 4. Everything else is carried out by a loop of `message-loop.ts`: signals and starts, timers (within the start rate), and the workflows
 *    of attempted deliveries. Then the row is deleted; if it has failed, it is put back for a while (`acknowledgements.ts`).
 * 5. While Temporal is away, step 4 claims nothing and bursts wait in their rows; step 3 goes on.
 */
export function startOutboxDispatcher(options: OutboxDispatcherOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wakeUps = {
    attempts: new WakeUp(),
    deliveries: new WakeUp(),
    messages: new WakeUp(),
    timers: new WakeUp(),
  };
  const wakeAll = () => Object.values(wakeUps).forEach((wakeUp) => wakeUp.wake());
  const parts = {
    ...options,
    acknowledgements: new Acknowledgements({ ...options, onDeleted: () => wakeUps.messages.wake() }),
    lease: new WorkerLease({ ...options, onTaken: wakeAll }),
    outage: new Outage({ ...options, signal }),
    startRate: new StartRate(options.startsPerSecond),
  };
  const bursts = new Bursts(parts);
  const recorder = new AttemptRecorder({ ...parts, bursts, onAttempted: () => wakeUps.deliveries.wake() });
  const attempts = new FirstAttempts({ ...parts, recorder, wakeUp: wakeUps.attempts });
  const loops = [
    listenToOutbox({ ...options, onNotify: wakeAll }, signal),
    attempts.run(signal),
    bursts.run(signal),
    runDeliveries({ ...parts, wakeUp: wakeUps.deliveries }, signal),
    runMessages({ ...parts, wakeUp: wakeUps.messages }, signal),
    runTimers({ ...parts, wakeUp: wakeUps.timers }, signal),
    freeOrphanedRows({ ...parts, onFreed: wakeAll }, signal),
  ];
  /** Claims no more rows, waits for those in flight and returns the others. */
  async function stop(): Promise<void> {
    stopping.abort();
    wakeAll();
    await Promise.all(loops);
    for (const last of [recorder, bursts, parts.acknowledgements]) await last.settled();
    await parts.lease.end();
  }
  return { lease: parts.lease, stop };
}
