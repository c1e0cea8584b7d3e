import { pause } from '../../adapters/timing/pause.ts';
import { claimMessages, claimTimers, type ClaimedMessage } from '../../db/outbox/claim-messages.ts';
import { describeTemporalError, isTemporalAway } from '../temporal-door.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';

/** The deliveries of the same commit go first: people wait for them, and for no message. */
const GATHER_MS = { messages: 50, timers: 250 };
/** Messages of a kind under way toward Temporal at once. */
const CONCURRENCY = 16;

type Options = Pick<
  DispatcherParts,
  'database' | 'lease' | 'ledger' | 'outage' | 'wakeUp' | 'carryOut' | 'logger'
>;

/** Sends signals and starts what is neither a delivery nor a timer, until `signal`; then waits for what is under way. */
export function runMessages(options: Options, signal: AbortSignal): Promise<void> {
  const { database } = options;
  return runLoop(options, signal, {
    gatherMs: GATHER_MS.messages,
    allowed: () => CONCURRENCY,
    claim: (workerId, limit) => claimMessages(database.outbox(), workerId, limit),
  });
}

/** Starts timers within the start rate, until `signal`; then waits for what is under way. */
export function runTimers(options: Options & Pick<DispatcherParts, 'startRate'>, signal: AbortSignal) {
  const { database, startRate } = options;
  return runLoop(options, signal, {
    gatherMs: GATHER_MS.timers,
    allowed: () => startRate.allowedTimers(),
    async claim(workerId, limit) {
      const timers = await claimTimers(database.outbox(), workerId, limit);
      startRate.tookTimers(timers.length, timers.length === limit);
      return timers;
    },
  });
}

interface Claiming {
  /** Pause after a claim that found everything. */
  gatherMs: number;
  /** How many may begin now. */
  allowed: () => number;
  claim: (workerId: string, limit: number) => Promise<ClaimedMessage[]>;
}

async function runLoop(options: Options, signal: AbortSignal, { gatherMs, allowed, claim }: Claiming) {
  const { lease, outage, wakeUp } = options;
  const underWay = new Set<Promise<void>>();
  for (; !signal.aborted; await outage.over()) {
    const limit = Math.min(CONCURRENCY - underWay.size, allowed());
    const rows = limit > 0 ? await lease.claim((workerId) => claim(workerId, limit)) : [];
    for (const row of rows) {
      const end = carryOutRow(options, row).finally(() => underWay.delete(end));
      underWay.add(end);
    }
    if (limit > 0 && rows.length < limit) await wakeUp.next();
    if (rows.length < limit || limit <= 0) await pause(gatherMs, signal);
    // Few claims of many rows are cheaper than many claims of few.
    while (underWay.size > CONCURRENCY / 2) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

async function carryOutRow(
  { carryOut, ledger, outage, logger }: Options,
  row: ClaimedMessage,
): Promise<void> {
  const { outboxId, message, failures } = row;
  try {
    await carryOut(message);
    ledger.done(row);
  } catch (error) {
    if (isTemporalAway(error)) outage.noticed();
    const lastError = describeTemporalError(error);
    logger.warn({ outboxId, kind: message.kind, failures: failures + 1, lastError }, 'outbox.failed');
    ledger.failed(row, lastError, { attempted: false });
  }
}
