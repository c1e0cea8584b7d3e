import { pause } from '../../adapters/timing/pause.ts';
import {
  claimMessages,
  claimTimers,
  claimUrgentTimers,
  type ClaimedMessage,
} from '../../db/outbox/claim-messages.ts';
import { describeTemporalError, isTemporalAway } from '../temporal-door.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';

/** The deliveries of the same commit go first: people wait for them, and for no message. */
const GATHER_MS = 50;
/** Messages under way toward Temporal at once. */
const CONCURRENCY = 16;
/** A timer that is due sooner is started at once. */
const NEARLY_DUE_SECONDS = 300;
/** Of all other timers, so many are started together, every so often. */
const TIMERS_AT_ONCE = { calm: 5, busy: 1 } as const;
const TIMERS_EVERY_MS = 250;
/** While deliveries are under way, a rest so many times as long follows each start, but no longer than this. */
const REST_WHILE_BUSY = { times: 50, mostMs: 5000 };

type Options = Pick<
  DispatcherParts,
  'database' | 'lease' | 'ledger' | 'outage' | 'wakeUp' | 'carryOut' | 'logger'
>;

/** Carries out what is no delivery and cannot wait, until `signal`; then ends what is under way. */
export async function runMessages(options: Options, signal: AbortSignal): Promise<void> {
  const { database, lease, outage, wakeUp } = options;
  const underWay = new Set<Promise<void>>();
  for (; !signal.aborted; await outage.over()) {
    const limit = CONCURRENCY - underWay.size;
    const rows = await lease.claim((workerId) => claimMessages(database.outbox(), workerId, limit));
    for (const row of rows) {
      const end = carryOutRow(options, row).finally(() => underWay.delete(end));
      underWay.add(end);
    }
    if (rows.length < limit) {
      await wakeUp.next();
      await pause(GATHER_MS, signal);
    }
    // Few claims of many rows are cheaper than many claims of few.
    while (underWay.size > CONCURRENCY / 2) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

/**
 * Starts timers: at once those nearly due and those whose workflow is to be told something, the others behind everything
 * else, the nearest first, at a bounded pace.
 * @param isBusy whether deliveries are under way
 */
export async function runTimers(options: Options & { isBusy: () => boolean }, signal: AbortSignal) {
  const { database, lease, outage, wakeUp, isBusy } = options;
  const nearlyDue = { limit: CONCURRENCY, withinSeconds: NEARLY_DUE_SECONDS };
  let restsUntil = 0;
  for (; !signal.aborted; await outage.over()) {
    const urgent = await lease.claim((workerId) => claimUrgentTimers(database.outbox(), workerId, nearlyDue));
    const limit = isBusy() ? TIMERS_AT_ONCE.busy : TIMERS_AT_ONCE.calm;
    const rests = isBusy() && performance.now() < restsUntil;
    const rows =
      urgent.length > 0 || rests
        ? urgent
        : await lease.claim((workerId) => claimTimers(database.outbox(), workerId, limit));
    const begun = performance.now();
    await Promise.all(rows.map((row) => carryOutRow(options, row)));
    if (rows.length > 0) restsUntil = performance.now() + restAfter(performance.now() - begun);
    else if (!rests) await wakeUp.next();
    if (urgent.length === 0) await pause(TIMERS_EVERY_MS, signal);
  }
}

function restAfter(startedInMs: number): number {
  return Math.min(REST_WHILE_BUSY.times * startedInMs, REST_WHILE_BUSY.mostMs);
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
