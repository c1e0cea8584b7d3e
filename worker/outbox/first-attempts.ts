import { safeFacts } from '../../adapters/logs/describe-error.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import { momentNow, type Moment } from '../../adapters/timing/moment.ts';
import { pause } from '../../adapters/timing/pause.ts';
import { AttemptNotBegun } from '../../adapters/webhooks/attempt-failure.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { claimFirstAttempts, type Receiver } from '../../db/outbox/claim-first-attempts.ts';
import { skipDeliveries } from '../../db/webhooks/deliveries/delivery-steps.ts';
import { answerPace, MAX_FIRST_ATTEMPTS } from '../../domain/webhooks/attempt-share.ts';
import { isFinal } from '../../domain/webhooks/delivery-status.ts';
import type { AttemptShares, EndAttempt } from '../../sending/attempt-shares.ts';
import { isEndpointOff, type SendAttempt, type SentOutcome } from '../../sending/send-attempt.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { AttemptedRow, AttemptRecorder } from './attempt-recorder.ts';
import { ClaimFloor } from './claim-floor.ts';
import type { WakeUp } from './wake-up.ts';
import type { WorkerLease } from './worker-lease.ts';

/** The most rows in a claim. More attempts could not start before the claim is too old. */
const MAX_CLAIM = 256;
/** Attempts that are in progress or not yet recorded. */
const MAX_HELD = 2 * MAX_FIRST_ATTEMPTS;
/** The pause between claims while rows are left, so that one claim can use several free slots. */
const BETWEEN_CLAIMS_MS = 10;

export interface FirstAttemptsOptions {
  database: Database;
  lease: WorkerLease;
  shares: AttemptShares;
  send: SendAttempt;
  recorder: AttemptRecorder;
  acknowledgements: Acknowledgements;
  wakeUp: WakeUp;
  logger: Logger;
}

/**
 * Makes the first attempts of deliveries. Claims only rows whose receivers have free capacity, and starts their
 * attempts at once.
 */
export class FirstAttempts {
  readonly #options: FirstAttemptsOptions;
  readonly #floor = new ClaimFloor();
  readonly #inFlight = new Set<Promise<void>>();
  /** Attempts that are in progress or not yet recorded. */
  #held = 0;
  /** Whether the last claim was skipped because too many attempts are in progress. */
  #isFull = false;
  /** The receivers of which the last claim left rows. */
  #left: readonly Receiver[] = [];

  constructor(options: FirstAttemptsOptions) {
    this.#options = options;
    options.shares.onRoom((ended) => {
      if (this.#left.some((left) => sharesRoom(left, ended))) options.wakeUp.wake();
    });
  }

  /** Claims rows until `signal` aborts, then waits for attempts in progress. */
  async run(signal: AbortSignal): Promise<void> {
    const { wakeUp } = this.#options;
    while (!signal.aborted) {
      const askedAt = momentNow();
      const rows = await this.#claim();
      const before = this.#inFlight.size;
      for (const row of rows) this.#receive(row, askedAt);
      const begun = this.#inFlight.size - before;
      // The other rows used no capacity.
      if (this.#left.length > 0 && begun < rows.length) wakeUp.wake();
      if (this.#left.length > 0) await pause(BETWEEN_CLAIMS_MS, signal);
      await wakeUp.next();
    }
    await Promise.all(this.#inFlight);
  }

  async #claim(): Promise<ClaimedDelivery[]> {
    const { database, lease, shares } = this.#options;
    const room = Math.min(MAX_FIRST_ATTEMPTS - this.#inFlight.size, MAX_HELD - this.#held);
    const limit = Math.min(room, MAX_CLAIM);
    this.#isFull = limit <= 0;
    if (this.#isFull) return [];
    return lease.claim(async (workerId) => {
      const onlyNew = this.#floor.next(performance.now());
      const free = shares.claimable();
      const claim = await claimFirstAttempts(database.outbox(), { workerId, limit, free, onlyNew });
      this.#floor.claimed(claim);
      this.#left = claim.left;
      return claim.rows;
    });
  }

  #receive(row: ClaimedDelivery, askedAt: Moment): void {
    const { acknowledgements, shares } = this.#options;
    const { delivery } = row;
    if (!delivery) return acknowledgements.done(row);
    const found = { ...row, delivery };
    // Another worker has made the attempt and stopped before it updated the row, or no attempt is needed any longer.
    const { status, attemptCount } = delivery.progress;
    if (isFinal(status) || attemptCount > 0) return acknowledgements.release(row, { attempted: true });
    if (isEndpointOff(delivery)) return this.#track(this.#skip(found));
    const { tenantId: clinicId, endpointId, host } = delivery;
    const end = shares.begin({ clinicId, endpointId, host });
    // A retry has taken the slot in the meantime.
    if (!end) return acknowledgements.release(row, { attempted: false });
    this.#track(this.#attempt(found, askedAt, end));
  }

  #track(work: Promise<void>): void {
    const inFlight = work.finally(() => this.#inFlight.delete(inFlight));
    this.#inFlight.add(inFlight);
  }

  async #attempt(row: AttemptedRow, askedAt: Moment, end: EndAttempt): Promise<void> {
    const release = this.#options.lease.hold(row);
    this.#held += 1;
    const outcome = await this.#send(row, askedAt);
    end(outcome && answerPace(outcome));
    void this.#recordThenRelease(row, outcome, release);
  }

  async #recordThenRelease(row: AttemptedRow, outcome: SentOutcome | null, release: () => void) {
    if (outcome) await this.#options.recorder.record(row, outcome);
    release();
    this.#held -= 1;
    if (this.#isFull) this.#options.wakeUp.wake();
  }

  /** Makes the attempt. Null if nothing was sent; the row is then put back. */
  async #send(row: AttemptedRow, askedAt: Moment): Promise<SentOutcome | null> {
    const { send, acknowledgements, lease, logger } = this.#options;
    try {
      return await send(row.delivery, 1, { askedAt, isOurs: () => lease.holds(row, askedAt) });
    } catch (error) {
      // The process or machine was frozen. The attempt is made after the next claim of the row.
      if (error instanceof AttemptNotBegun) acknowledgements.release(row, { attempted: false });
      else {
        logger.error({ err: error, deliveryId: row.delivery.deliveryId }, 'delivery.not_attempted');
        acknowledgements.failed(row, safeFacts(error));
      }
      return null;
    }
  }

  /**
   * Skips the delivery. This may wait for another transaction, so it must not use the outbox's connections, which the
   * lease needs.
   */
  async #skip(row: AttemptedRow): Promise<void> {
    const { database, acknowledgements } = this.#options;
    try {
      await skipDeliveries(database.em(), [row.delivery.deliveryId]);
      acknowledgements.done(row);
    } catch (error) {
      acknowledgements.failed(row, safeFacts(error));
    }
  }
}

function sharesRoom(left: Receiver, ended: Receiver): boolean {
  return left.endpointId === ended.endpointId || left.clinicId === ended.clinicId || left.host === ended.host;
}
