import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../adapters/logger.ts';
import { deferOutboxMessage, deleteOutboxMessages } from '../../db/outbox/outbox-rows.ts';
import type { Database } from '../../db/connection/open-database.ts';

const TRY_AGAIN_AFTER_MS = 500;

export interface DeferredRow {
  id: string;
  delaySeconds: number;
  lastError: string;
}

/** Writes down what became of claimed rows: at most one statement under way, the next one takes all that gathered. */
export interface OutboxLedger {
  done(id: string): void;
  failed(row: DeferredRow): void;
  /** Ends the writing. What a database that is away does not take now is done again when its lease has run out. */
  settled(): Promise<void>;
}

export interface OutboxLedgerOptions {
  database: Database;
  logger: Logger;
  onDeleted: () => void;
}

export function createOutboxLedger(options: OutboxLedgerOptions): OutboxLedger {
  const unwritten: Unwritten = { done: [], failed: [] };
  let writing: Promise<void> | null = null;
  let isClosing = false;

  async function writeAll(): Promise<void> {
    while (unwritten.done.length > 0 || unwritten.failed.length > 0) {
      try {
        await write(unwritten, options);
      } catch (error) {
        options.logger.warn({ err: error }, 'outbox.settle_failed');
        if (isClosing) break;
        await delay(TRY_AGAIN_AFTER_MS);
      }
    }
    writing = null;
  }

  return {
    done(id) {
      unwritten.done.push(id);
      writing ??= writeAll();
    },
    failed(row) {
      unwritten.failed.push(row);
      writing ??= writeAll();
    },
    async settled() {
      isClosing = true;
      await writing;
    },
  };
}

interface Unwritten {
  done: string[];
  failed: DeferredRow[];
}

async function write(
  { done, failed }: Unwritten,
  { database, onDeleted }: OutboxLedgerOptions,
): Promise<void> {
  const ids = [...done];
  if (ids.length > 0) {
    await deleteOutboxMessages(database.em(), ids);
    done.splice(0, ids.length);
    onDeleted();
  }
  for (let next = failed[0]; next; next = failed[0]) {
    await deferOutboxMessage(database.em(), next.id, next.delaySeconds, next.lastError);
    failed.shift();
  }
}
