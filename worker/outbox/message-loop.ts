import type { Logger } from '../../adapters/logs/logger.ts';
import { pause } from '../../adapters/timing/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { claimAttempted, type ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { claimMessages, claimTimers, type ClaimedMessage } from '../../db/outbox/claim-messages.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { isBurstWorkflowId } from '../../domain/temporal-names.ts';
import { reportOn } from '../../sending/delivery-report.ts';
import type { StartWorkflow } from '../temporal/carry-out.ts';
import type { Outage } from '../temporal/outage.ts';
import type { StartRate } from '../temporal/start-rate.ts';
import { describeTemporalError, isTemporalAway } from '../temporal/temporal-door.ts';
import { deliveryStart } from '../temporal/workflow-starts.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { WakeUp } from './wake-up.ts';
import type { WorkerLease } from './worker-lease.ts';

/** How long to wait before rows are claimed. Deliveries of the same commit come first, because people wait for them. */
const GATHER_MS = { messages: 50, timers: 250, deliveries: 20 };
/** How many rows of one kind are sent to Temporal at the same time. */
const CONCURRENCY = 16;

export interface MessageLoopOptions {
  database: Pick<Database, 'outbox'>;
  lease: WorkerLease;
  acknowledgements: Acknowledgements;
  outage: Outage;
  logger: Logger;
  wakeUp: WakeUp;
}

/** Throws when the row must be retried. */
export type CarryOut = (message: OutboxMessage) => Promise<unknown>;

/** Sends signals, and starts all workflows except deliveries and timers. */
export function runMessages(options: MessageLoopOptions & { carryOut: CarryOut }, signal: AbortSignal) {
  const { database, carryOut } = options;
  return runLoop<ClaimedMessage>(options, signal, {
    kindOf: ({ message }) => message.kind,
    gatherMs: GATHER_MS.messages,
    allowed: () => CONCURRENCY,
    claim: (workerId, limit) => claimMessages(database.outbox(), workerId, limit),
    carryOut: ({ message }) => carryOut(message),
  });
}

/** Starts timers within the start rate. */
export function runTimers(
  options: MessageLoopOptions & { carryOut: CarryOut; startRate: StartRate },
  signal: AbortSignal,
) {
  const { database, startRate, carryOut } = options;
  return runLoop<ClaimedMessage>(options, signal, {
    kindOf: ({ message }) => message.kind,
    gatherMs: GATHER_MS.timers,
    allowed: () => startRate.allowedTimers(),
    async claim(workerId, limit) {
      const timers = await claimTimers(database.outbox(), workerId, limit);
      startRate.tookTimers(timers.length, timers.length === limit);
      return timers;
    },
    carryOut: ({ message }) => carryOut(message),
  });
}

/** Starts the workflows of deliveries after their first attempt: those that failed, and some that succeeded. */
export function runDeliveries(
  options: MessageLoopOptions & { start: StartWorkflow; dashboardUrl?: string | null },
  signal: AbortSignal,
) {
  const { database, start, dashboardUrl } = options;
  return runLoop<ClaimedDelivery>(options, signal, {
    kindOf: () => 'startDelivery',
    gatherMs: GATHER_MS.deliveries,
    allowed: () => CONCURRENCY,
    claim: (workerId, limit) => claimAttempted(database.outbox(), workerId, limit),
    async carryOut({ delivery }) {
      // It is gone, or was skipped, or is part of a burst.
      if (!delivery || delivery.progress.status === 'skipped') return;
      if (isBurstWorkflowId(delivery.progress.workflowId)) return;
      const first = reportOn(delivery.progress);
      await start(deliveryStart({ ...delivery, ...delivery.progress }, { first }, dashboardUrl));
    },
  });
}

interface Kind<Row> {
  /** For logs. */
  kindOf: (row: Row) => OutboxMessage['kind'];
  /** The pause after a claim that found everything. */
  gatherMs: number;
  /** How many may start now. */
  allowed: () => number;
  claim: (workerId: string, limit: number) => Promise<Row[]>;
  /** Throws when the row must be retried. */
  carryOut: (row: Row) => Promise<unknown>;
}

/**
 * Claims and processes rows until `signal` aborts, then waits for those in flight. Claims nothing while Temporal is
 * unavailable.
 */
async function runLoop<Row extends ClaimedRow>(
  options: MessageLoopOptions,
  signal: AbortSignal,
  kind: Kind<Row>,
): Promise<void> {
  const { lease, outage, wakeUp } = options;
  const inFlight = new Set<Promise<void>>();
  for (await outage.over(); !signal.aborted; await outage.over()) {
    const limit = Math.min(CONCURRENCY - inFlight.size, kind.allowed());
    const rows = limit > 0 ? await lease.claim((workerId) => kind.claim(workerId, limit)) : [];
    for (const row of rows) {
      const end = carryOutRow(options, row, kind).finally(() => inFlight.delete(end));
      inFlight.add(end);
    }
    if (limit > 0 && rows.length < limit) await wakeUp.next();
    if (rows.length < limit || limit <= 0) await pause(kind.gatherMs, signal);
    // A few claims of many rows cost less than many claims of a few.
    while (inFlight.size > CONCURRENCY / 2) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
}

async function carryOutRow<Row extends ClaimedRow>(
  { acknowledgements, outage, logger }: MessageLoopOptions,
  row: Row,
  { kindOf, carryOut }: Kind<Row>,
): Promise<void> {
  const { outboxId, failures } = row;
  try {
    await carryOut(row);
    acknowledgements.done(row);
  } catch (error) {
    if (isTemporalAway(error)) outage.noticed();
    const lastError = describeTemporalError(error);
    logger.warn({ outboxId, kind: kindOf(row), failures: failures + 1, lastError }, 'outbox.failed');
    acknowledgements.failed(row, lastError);
  }
}
