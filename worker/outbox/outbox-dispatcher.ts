import type { AttemptShares } from '../../sending/attempt-shares.ts';
import type { SendAttempt } from '../../sending/send-attempt.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import type { Timings } from '../../domain/timings.ts';
import type { TemporalDoor } from '../temporal-door.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { StartWorkflow } from './carry-out.ts';
import { ClaimedDeliveries } from './claimed-deliveries.ts';
import { ConfirmedClaims } from './confirmed-claims.ts';
import { DeliveryWorkflows } from './delivery-workflows.ts';
import { FirstAttempts } from './first-attempts.ts';
import { runMessages, runTimers } from './message-loop.ts';
import { freeOrphanedRows } from './orphaned-rows.ts';
import { Outage } from './outage.ts';
import { OutboxLedger } from './outbox-ledger.ts';
import { listenToOutbox } from './outbox-listener.ts';
import { StartRate } from './start-rate.ts';
import { WakeUp } from './wake-up.ts';
import { WorkerLease } from './worker-lease.ts';

export interface OutboxDispatcherOptions {
  databaseUrl: string;
  database: Database;
  timings: Timings;
  temporal: Pick<TemporalDoor, 'opened'>;
  shares: AttemptShares;
  send: SendAttempt;
  start: StartWorkflow;
  /** DASHBOARD_URL: links lead there. */
  dashboardUrl?: string | null;
  /** TEMPORAL_STARTS_PER_SECOND */
  startsPerSecond: number;
  /** Rejects unless Temporal answers. */
  reachTemporal: () => Promise<void>;
  /** Throws when the row has to be tried again. */
  carryOut: (message: OutboxMessage) => Promise<void>;
  logger: Logger;
}

/** What the dispatcher is made of; each part of it asks for those it uses. */
export interface DispatcherParts extends OutboxDispatcherOptions {
  lease: WorkerLease;
  ledger: OutboxLedger;
  outage: Outage;
  startRate: StartRate;
  /** Of the loop that the part belongs to. */
  wakeUp: WakeUp;
  workflows: DeliveryWorkflows;
  deliveries: ClaimedDeliveries;
  recorder: AttemptRecorder;
  claims: ConfirmedClaims;
}

export type OutboxDispatcher = ReturnType<typeof startOutboxDispatcher>;

/**
 * Carries out what is in the outbox, at least once each: makes first attempts, gives deliveries their workflows, starts
 * timers and sends signals, in order per key. Any number of dispatchers may run. Each looks when a commit has notified it
 * (`outbox-listener.ts`), and without that once in a while (`wake-up.ts`).
 */
export function startOutboxDispatcher(options: OutboxDispatcherOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wakeUps = { attempts: new WakeUp(), messages: new WakeUp(), timers: new WakeUp() };
  const wakeAll = () => Object.values(wakeUps).forEach((wakeUp) => wakeUp.wake());
  const ledger = new OutboxLedger({ ...options, onDeleted: () => wakeUps.messages.wake() });
  const lease = new WorkerLease({ ...options, onTaken: wakeAll });
  const startRate = new StartRate(options.startsPerSecond);
  const parts = { ...options, lease, ledger, startRate, outage: new Outage({ ...options, signal }) };
  const way = wayOfDelivery({ ...parts, wakeUp: wakeUps.attempts });
  /** What is nothing without Temporal. */
  const carryOn = async () => {
    await parts.outage.over();
    await Promise.all([
      way.deliveries.runAttempted(signal),
      runMessages({ ...parts, wakeUp: wakeUps.messages }, signal),
      runTimers({ ...parts, wakeUp: wakeUps.timers }, signal),
    ]);
  };
  const loops = [
    listenToOutbox({ ...options, onNotify: wakeAll }, signal),
    way.attempts.run(signal),
    carryOn(),
    freeOrphanedRows({ ...options, lease, onFreed: wakeAll }, signal),
  ];
  return {
    lease,
    /** Takes no more rows, waits for the ones under way and gives the others back. */
    async stop(): Promise<void> {
      stopping.abort();
      wakeAll();
      await Promise.all([...loops, way.claims.settled()]);
      for (const last of [way.recorder, way.workflows, ledger]) await last.settled();
      await lease.end();
    },
  };
}

/** The way of a delivery, from its end: carried by a workflow, sent there, recorded, attempted, claimed. */
function wayOfDelivery(
  options: OutboxDispatcherOptions &
    Pick<DispatcherParts, 'ledger' | 'lease' | 'outage' | 'startRate' | 'wakeUp'>,
) {
  const workflows = new DeliveryWorkflows(options);
  const deliveries = new ClaimedDeliveries({ ...options, workflows });
  const recorder = new AttemptRecorder({ ...options, workflows, deliveries });
  const claims = new ConfirmedClaims(options);
  const attempts = new FirstAttempts({ ...options, deliveries, recorder, claims });
  return { workflows, recorder, deliveries, claims, attempts };
}
