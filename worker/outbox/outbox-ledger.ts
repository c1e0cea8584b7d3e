import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../adapters/logger.ts';
import { growingPause } from '../../adapters/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import {
  deferOutboxMessages,
  deleteOutboxMessages,
  type DeferredMessage,
} from '../../db/outbox/settle-messages.ts';

const TRY_AGAIN_AFTER_MS = 500;

/** How long a row rests that has failed so many times before. */
export function backoffSeconds(failures: number): number {
  return growingPause(failures, { first: 1, longest: 30 });
}

export interface OutboxLedgerOptions {
  database: Database;
  logger: Logger;
  /** Rows are gone: the next ones of their keys may be claimed. */
  onDeleted: () => void;
}

/** Writes down what became of claimed rows: at most one statement under way, the next one takes all that gathered. */
export class OutboxLedger {
  readonly #options: OutboxLedgerOptions;
  #done: string[] = [];
  #deferred: DeferredMessage[] = [];
  #writing: Promise<void> | null = null;
  #isClosing = false;

  constructor(options: OutboxLedgerOptions) {
    this.#options = options;
  }

  done(id: string): void {
    this.#done.push(id);
    this.#writing ??= this.#writeAll();
  }

  deferred(row: DeferredMessage): void {
    this.#deferred.push(row);
    this.#writing ??= this.#writeAll();
  }

  /** Ends the writing. What a database that is away does not take now is done again when the lease has run out. */
  async settled(): Promise<void> {
    this.#isClosing = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What is reported within one turn is written together.
    await Promise.resolve();
    while (this.#done.length > 0 || this.#deferred.length > 0) {
      try {
        await this.#write();
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'outbox.settle_failed');
        if (this.#isClosing) break;
        await delay(TRY_AGAIN_AFTER_MS);
      }
    }
    this.#writing = null;
  }

  async #write(): Promise<void> {
    const { database, onDeleted } = this.#options;
    const [ids, rows] = [[...this.#done], [...this.#deferred]];
    if (ids.length > 0) {
      await deleteOutboxMessages(database.outbox(), ids);
      this.#done = this.#done.slice(ids.length);
      onDeleted();
    }
    if (rows.length > 0) {
      await deferOutboxMessages(database.outbox(), rows);
      this.#deferred = this.#deferred.slice(rows.length);
    }
  }
}
