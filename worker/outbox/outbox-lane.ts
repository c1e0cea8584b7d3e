import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../adapters/logger.ts';
import { claimOutboxMessages, type ClaimedMessage, type OutboxLane } from '../../db/outbox/outbox-rows.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { createOutage, type Outage } from './outage.ts';
import { createOutboxLedger, type OutboxLedger } from './outbox-ledger.ts';
import { describeTemporalError, isTemporalAway } from '../temporal-errors.ts';
import type { WakeUp } from './wake-up.ts';

/** How long a claim keeps a row from other dispatchers: so long does it rest when this process is killed. */
export const OUTBOX_LEASE_SECONDS = 10;
const POLL_EVERY_MS = 1000;
const LARGEST_CLAIM = 64;
const LONGEST_BACKOFF_SECONDS = 30;

export interface OutboxLaneOptions {
  lane: OutboxLane;
  /** How many rows may be under way toward Temporal at once. */
  concurrency: number;
  database: Database;
  /** Must end well within the lease; throws when the row has to be tried again. */
  carryOut: (message: OutboxMessage) => Promise<void>;
  wakeUp: WakeUp;
  logger: Logger;
}

/** Claims rows of one lane as long as there are any and carries them out, until `signal`; then ends what is under way. */
export async function runOutboxLane(options: OutboxLaneOptions, signal: AbortSignal): Promise<void> {
  const { lane, concurrency, database, wakeUp, logger } = options;
  // A row that is gone may have been the one that another of its key waited for.
  const onDeleted = () => (lane === 'ordered' ? wakeUp.ring() : undefined);
  const ledger = createOutboxLedger({ database, logger, onDeleted });
  const outage = createOutage();
  const underWay = new Set<Promise<void>>();

  while (!signal.aborted) {
    const limit = Math.min(concurrency - underWay.size, LARGEST_CLAIM);
    const rows = await claim(options, limit);
    for (const row of rows) {
      const end = carryOutRow(options, row, { ledger, outage }).finally(() => underWay.delete(end));
      underWay.add(end);
    }
    if (rows.length < limit) await wakeUp.next(POLL_EVERY_MS);
    // Few claims of many rows are cheaper than many claims of few.
    while (underWay.size > concurrency / 2) await Promise.race(underWay);
    await outage.pause(signal);
  }
  await Promise.all(underWay);
  await ledger.settled();
}

async function claim(
  { database, lane, logger }: OutboxLaneOptions,
  limit: number,
): Promise<ClaimedMessage[]> {
  try {
    return await claimOutboxMessages(database.em(), lane, limit, OUTBOX_LEASE_SECONDS);
  } catch (error) {
    logger.warn({ err: error, lane }, 'outbox.claim_failed');
    await delay(POLL_EVERY_MS);
    return [];
  }
}

async function carryOutRow(
  { carryOut, logger }: OutboxLaneOptions,
  { id, message, failures }: ClaimedMessage,
  { ledger, outage }: { ledger: OutboxLedger; outage: Outage },
): Promise<void> {
  try {
    await carryOut(message);
    outage.over();
    ledger.done(id);
  } catch (error) {
    if (isTemporalAway(error)) outage.noticed();
    const lastError = describeTemporalError(error);
    const delaySeconds = Math.min(2 ** failures, LONGEST_BACKOFF_SECONDS);
    logger.warn({ outboxId: id, kind: message.kind, failures: failures + 1, lastError }, 'outbox.failed');
    ledger.failed({ id, delaySeconds, lastError });
  }
}
