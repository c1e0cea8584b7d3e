import { uuidv7 } from 'uuidv7';
import type { Logger } from '../../adapters/logger.ts';
import { pause } from '../../adapters/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { endLease, releaseEndedLeases, renewLease, takeLease } from '../../db/outbox/worker-lease.ts';

/** So long are the rows of a worker that was killed kept from others. */
const LEASE_SECONDS = 5;
const RENEW_EVERY_MS = 1000;
/** What was renewed so lately outlasts the beginning of an attempt even if the database is lost at this moment. */
const SURE_FOR_MS = 2500;

/** The lease under which this process claims outbox rows. It is renewed once for all of them. */
export interface WorkerLease {
  readonly workerId: string;
  /** Whether rows may be claimed and attempts begun. */
  isSure(): boolean;
}

export interface WorkerLeaseOptions {
  database: Database;
  logger: Logger;
  /** There may be rows to claim or to begin: the lease is sure again, or those of another one came free. */
  onRowsFree: () => void;
  /** The rows claimed so far belong to others now; a new lease was taken. */
  onLost: () => void;
}

/** Takes and renews the lease until it is ended. */
export class RenewedLease implements WorkerLease {
  workerId = uuidv7();
  readonly #options: WorkerLeaseOptions;
  readonly #stopping = new AbortController();
  readonly #renewing: Promise<void>;
  /** By `performance.now()`. */
  #renewedAt = -Infinity;
  #heldSince: number | null = null;
  #isTaken = false;

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
    this.#renewing = this.#renewUntilEnded();
  }

  isSure(): boolean {
    return performance.now() - this.#renewedAt < SURE_FOR_MS;
  }

  /** Puts back what is still claimed. A database that is away lets the lease run out instead. */
  async end(): Promise<void> {
    this.#stopping.abort();
    await this.#renewing;
    const { database, logger } = this.#options;
    await endLease(database.outbox(), this.workerId).catch((error: unknown) =>
      logger.warn({ err: error }, 'outbox.lease_not_ended'),
    );
  }

  async #renewUntilEnded(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#renew();
      } catch (error) {
        this.#heldSince = null;
        this.#options.logger.warn({ err: error }, 'outbox.lease_not_renewed');
      }
      await pause(RENEW_EVERY_MS, signal);
    }
  }

  async #renew(): Promise<void> {
    const { database, onRowsFree, onLost } = this.#options;
    const startedAt = performance.now();
    const isKept = this.#isTaken && (await renewLease(database.outbox(), this.workerId, LEASE_SECONDS));
    if (!isKept) {
      if (this.#isTaken) onLost();
      this.workerId = uuidv7();
      await takeLease(database.outbox(), this.workerId, LEASE_SECONDS);
      this.#isTaken = true;
    }
    const wasSure = this.isSure();
    this.#renewedAt = startedAt;
    this.#heldSince ??= startedAt;
    if (!wasSure && this.isSure()) onRowsFree();
    if (this.#mayJudgeOthers()) await this.#releaseRowsOfOthers();
  }

  async #releaseRowsOfOthers(): Promise<void> {
    const { database, onRowsFree, logger } = this.#options;
    const released = await releaseEndedLeases(database.outbox());
    if (released === 0) return;
    logger.warn({ released }, 'outbox.rows_released');
    onRowsFree();
  }

  /** After an outage of the database every lease has ended; their holders get the time to renew them. */
  #mayJudgeOthers(): boolean {
    return this.#heldSince !== null && performance.now() - this.#heldSince >= LEASE_SECONDS * 1000;
  }
}
