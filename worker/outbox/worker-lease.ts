import { setTimeout as delay } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { Logger } from '../../adapters/logs/logger.ts';
import { momentNow, msSince, type Moment } from '../../adapters/timing/moment.ts';
import { pause } from '../../adapters/timing/pause.ts';
import { createCachedProbe, type Probe } from '../../adapters/timing/cached-answer.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import { endLease, freeRowsOf, renewLease, takeLease } from '../../db/outbox/lease-rows.ts';

/** The rows of a killed worker stay reserved for this long. */
const LEASE_SECONDS = 5;
const RENEW_EVERY_MS = 1000;
const CLAIM_AGAIN_AFTER_MS = 1000;
/** How long a retired lease is still renewed. It is renewed for longer while attempts use it. */
const RETIRED_FOR_MS = 15_000;

export interface WorkerLeaseOptions {
  database: Database;
  logger: Logger;
  /** Rejects when Temporal does not answer. Each renewal records whether it did. */
  reachTemporal: () => Promise<void>;
  /** Called when the lease was taken, or was renewed after a failure. There may be rows to claim. */
  onTaken: () => void;
}

/**
 * The lease under which this process claims outbox rows. Claimed rows belong to this process until the database ends
 * the lease. If the lease was not renewed in time, the process takes a new one.
 */
export class WorkerLease {
  readonly #options: WorkerLeaseOptions;
  readonly #stopping = new AbortController();
  readonly #renewing: Promise<void>;
  #workerId: string | null = null;
  /** Retired leases, under which nothing more is claimed, with the time of their retirement. */
  readonly #retired = new Map<string, Moment>();
  /** The number of running attempts by lease ID. */
  readonly #held = new Map<string, number>();
  readonly #isTemporalUp: Probe;
  #reachesTemporal = false;
  /** Whether the last renewal succeeded. */
  #isRenewed = false;
  #renewedAt: Moment | null = null;
  /** The start of the current unbroken series of renewals. */
  #heldSince: Moment | null = null;

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
    this.#isTemporalUp = createCachedProbe(async () => {
      await options.reachTemporal();
      return true;
    });
    this.#renewing = this.#renewUntilEnded();
  }

  /**
   * Claims rows. While the database is unavailable, it returns none, after a pause. If the response to a claim is lost,
   * the IDs of the claimed rows are unknown. The lease is then retired, so that the rows become free when it ends.
   */
  async claim<Row>(claim: (workerId: string) => Promise<Row[]>): Promise<Row[]> {
    const workerId = this.#workerId;
    if (workerId === null || !this.#isRenewed) return [];
    try {
      return await claim(workerId);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'outbox.claim_failed');
      this.#retire(workerId);
      await delay(CLAIM_AGAIN_AFTER_MS);
      return [];
    }
  }

  /** Renews the lease of a row, even a retired one, until the returned function is called. */
  hold({ claimedBy }: Pick<ClaimedRow, 'claimedBy'>): () => void {
    const add = (count: number) => {
      const held = (this.#held.get(claimedBy) ?? 0) + count;
      if (held > 0) this.#held.set(claimedBy, held);
      else this.#held.delete(claimedBy);
    };
    add(1);
    return () => add(-1);
  }

  /** Whether attempts may start under the lease of a row. They may not if the lease is retired. */
  isCurrent({ claimedBy }: Pick<ClaimedRow, 'claimedBy'>): boolean {
    return claimedBy === this.#workerId;
  }

  /**
   * Whether a row that was claimed at `askedAt` has belonged to this process since then. If the process was frozen,
   * another worker may have the row, even if this worker has a lease again.
   */
  holds(row: Pick<ClaimedRow, 'claimedBy'>, askedAt: Moment): boolean {
    if (this.mayHaveLapsed()) return false;
    const isUnbroken = this.#heldSince !== null && msSince(this.#heldSince) >= msSince(askedAt);
    return isUnbroken && this.isCurrent(row);
  }

  /** Whether the lease has not been renewed for as long as it lasts. */
  mayHaveLapsed(): boolean {
    return this.#renewedAt === null || msSince(this.#renewedAt) >= LEASE_SECONDS * 1000;
  }

  /**
   * This worker's ID if it may end other workers' leases: it must have held its own lease for as long as a lease lasts.
   * Otherwise null. After an outage, all leases have expired, and their holders need this time to renew them.
   */
  observer(): string | null {
    const isHeld = this.#isRenewed && !this.mayHaveLapsed();
    const isUnbroken = this.#heldSince !== null && msSince(this.#heldSince) >= LEASE_SECONDS * 1000;
    return isHeld && isUnbroken ? this.#workerId : null;
  }

  /** Puts claimed rows back. If the database is unavailable, the lease simply expires. */
  async end(): Promise<void> {
    this.#stopping.abort();
    await this.#renewing;
    const { database, logger } = this.#options;
    const leases = [...this.#retired.keys(), ...(this.#workerId === null ? [] : [this.#workerId])];
    if (leases.length === 0) return;
    try {
      for (const lease of leases) await endLease(database.outbox(), lease);
      await freeRowsOf(database.outbox(), leases);
    } catch (error) {
      logger.warn({ err: error }, 'outbox.lease_not_ended');
    }
  }

  async #renewUntilEnded(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#renew();
      } catch (error) {
        this.#isRenewed = false;
        this.#options.logger.warn({ err: error }, 'outbox.lease_not_renewed');
      }
      // In parallel with the pause, so that a Temporal server that does not respond does not delay the renewal.
      [this.#reachesTemporal] = await Promise.all([this.#isTemporalUp(), pause(RENEW_EVERY_MS, signal)]);
    }
  }

  async #renew(): Promise<void> {
    const startedAt = momentNow();
    if (!(await this.#isKept())) await this.#takeAnother();
    if (this.mayHaveLapsed() || !this.#isRenewed) this.#heldSince = startedAt;
    if (!this.#isRenewed) this.#options.onTaken();
    this.#isRenewed = true;
    this.#renewedAt = startedAt;
    await this.#renewRetired();
  }

  #retire(workerId: string): void {
    if (!this.#retired.has(workerId)) this.#retired.set(workerId, momentNow());
    if (this.#workerId === workerId) this.#workerId = null;
  }

  async #renewRetired(): Promise<void> {
    for (const [workerId, since] of this.#retired) {
      const isUnused = msSince(since) > RETIRED_FOR_MS && !this.#held.has(workerId);
      if (isUnused || !(await this.#extend(workerId))) this.#retired.delete(workerId);
    }
  }

  async #isKept(): Promise<boolean> {
    return this.#workerId !== null && this.#extend(this.#workerId);
  }

  #extend(workerId: string): Promise<boolean> {
    const reachesTemporal = this.#reachesTemporal;
    return renewLease(this.#options.database.outbox(), workerId, { seconds: LEASE_SECONDS, reachesTemporal });
  }

  async #takeAnother(): Promise<void> {
    const { database, logger } = this.#options;
    if (this.#workerId !== null) logger.warn({ workerId: this.#workerId }, 'outbox.lease_lost');
    this.#workerId = null;
    this.#isRenewed = false;
    const workerId = uuidv7();
    await takeLease(database.outbox(), workerId, LEASE_SECONDS);
    this.#workerId = workerId;
  }
}
