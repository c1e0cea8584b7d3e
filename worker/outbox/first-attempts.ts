import { AttemptNotBegun } from '../../adapters/webhooks/attempt-failure.ts';
import type { AttemptTarget, EndAttempt } from '../../sending/attempt-shares.ts';
import { stillCounts } from '../../sending/send-attempt.ts';
import { safeFacts } from '../../adapters/logs/describe-error.ts';
import { momentNow, type Moment } from '../../adapters/timing/moment.ts';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { claimFirstAttempts } from '../../db/outbox/claim-first-attempts.ts';
import { answerPace, MOST_FIRST_ATTEMPTS } from '../../domain/webhooks/attempt-share.ts';
import type { AttemptedDelivery } from './recorded-delivery.ts';
import { endpointsLeft, mayHaveLeft } from './left-rows.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';
import { PassedRows } from './passed-rows.ts';

/** Under way and waiting in this process together. */
const MOST_HELD = 2 * MOST_FIRST_ATTEMPTS;

export type FirstAttemptsOptions = Pick<
  DispatcherParts,
  | 'database'
  | 'lease'
  | 'claims'
  | 'ledger'
  | 'shares'
  | 'send'
  | 'deliveries'
  | 'recorder'
  | 'wakeUp'
  | 'logger'
>;

interface Held {
  row: AttemptedDelivery;
  /** When the database was asked for the row. */
  askedAt: Moment;
  target: AttemptTarget;
  letGo: () => void;
}

/**
 * Makes the first attempts of deliveries: claims rows as far as the shares of their receivers go and begins their attempts
 * as soon as there is room. What is recorded then goes to its workflow.
 */
export class FirstAttempts {
  readonly #options: FirstAttemptsOptions;
  /** Claimed and not begun, oldest first. */
  readonly #waiting = new Set<Held>();
  /** Claimed and not recorded. */
  readonly #held = new Set<Held>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #passed = new PassedRows();
  #isBeginning = false;
  /** Whether the last claim may have left rows for want of room. */
  #leftRows = false;

  constructor(options: FirstAttemptsOptions) {
    this.#options = options;
    options.shares.onRoom(() => this.#beginSoon());
  }

  /** Claims until `signal`, then gives back what has not begun and waits for what has. */
  async run(signal: AbortSignal): Promise<void> {
    const { wakeUp, deliveries } = this.#options;
    while (!signal.aborted) {
      const askedAt = momentNow();
      const claimed = await this.#claim();
      const toAttempt = claimed.flatMap((row) => deliveries.receive(row) ?? []);
      for (const row of toAttempt) this.#waiting.add(this.#hold(row, askedAt));
      this.#begin();
      // What needs no attempt leaves its room to the next rows.
      if (toAttempt.length < claimed.length && this.#leftRows) wakeUp.wake();
      await wakeUp.next();
    }
    while (this.#waiting.size + this.#underWay.size > 0) {
      for (const held of this.#waiting) this.#giveBack(held);
      await Promise.all(this.#underWay);
    }
  }

  /** Begins what may, after everything that ends in this turn has ended. */
  #beginSoon(): void {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    setImmediate(() => {
      this.#isBeginning = false;
      this.#begin();
    });
  }

  async #claim(): Promise<ClaimedDelivery[]> {
    const { database, lease, shares } = this.#options;
    const limit = MOST_HELD - this.#held.size;
    if (limit <= 0) return [];
    return lease.claim(async (workerId) => {
      const free = shares.claimable();
      const passed = this.#passed.next(performance.now());
      const claimed = await claimFirstAttempts(database.outbox(), { workerId, limit, free, passed });
      this.#passed.claimed(claimed, endpointsLeft(claimed, limit, free));
      this.#leftRows = mayHaveLeft(claimed, limit, free);
      return claimed;
    });
  }

  #hold(row: AttemptedDelivery, askedAt: Moment): Held {
    const { tenantId: clinicId, endpointId, host } = row.delivery;
    const target = { clinicId, endpointId, host };
    const { shares, lease } = this.#options;
    const releases = [shares.hold(target), lease.hold(row)];
    const held = { row, askedAt, target, letGo: () => releases.forEach((release) => release()) };
    this.#held.add(held);
    return held;
  }

  #begin(): void {
    for (const held of this.#waiting) {
      if (this.#underWay.size >= MOST_FIRST_ATTEMPTS) return;
      if (!this.#options.lease.isCurrent(held.row)) {
        this.#giveBack(held);
        continue;
      }
      const end = this.#options.shares.begin(held.target);
      if (!end) continue;
      this.#waiting.delete(held);
      const over = this.#attempt(held, end).finally(() => this.#underWay.delete(over));
      this.#underWay.add(over);
    }
  }

  /** One that has waited is made by what is true now. */
  async #attempt(held: Held, end: EndAttempt): Promise<void> {
    const now = stillCounts(held.askedAt) ? held : await this.#confirm(held);
    if (now && stillCounts(now.askedAt) && now.target.host === held.target.host) return this.#make(now, end);
    this.#wait(now, end);
  }

  #wait(held: Held | null, end: EndAttempt): void {
    if (held) this.#waiting.add(held);
    end(null);
  }

  /** Null when it is somebody else's by now, or there is nothing to make. */
  async #confirm(held: Held): Promise<Held | null> {
    const { claims, deliveries } = this.#options;
    const confirmed = await claims.confirm(held.row);
    const row = confirmed && deliveries.receive(confirmed.found);
    if (!confirmed || !row) {
      this.#release(held);
      return null;
    }
    this.#drop(held);
    return this.#hold(row, confirmed.askedAt);
  }

  async #make(held: Held, end: EndAttempt): Promise<void> {
    const { row, askedAt, target } = held;
    const { send, recorder, ledger, lease, logger } = this.#options;
    try {
      const outcome = await send(row.delivery, 1, { askedAt, isOurs: () => lease.holds(row, askedAt) });
      void recorder.record(row, outcome).then((isKept) => isKept && this.#release(held));
      end(answerPace(outcome));
      if (outcome.outcome === 'failed') this.#giveSurplusBack(target);
    } catch (error) {
      if (error instanceof AttemptNotBegun) return this.#wait(await this.#confirm(held), end);
      logger.error({ err: error, deliveryId: row.delivery.deliveryId }, 'delivery.not_attempted');
      ledger.failed(row, safeFacts(error), { attempted: false });
      end(null);
      this.#release(held);
    }
  }

  #release(held: Held): void {
    this.#drop(held);
    if (this.#leftRows) this.#options.wakeUp.wake();
  }

  /** A receiver that turns slow keeps no more rows from other workers than it can take. */
  #giveSurplusBack(target: AttemptTarget): void {
    const surplus = Math.max(this.#options.shares.surplus(target), 0);
    const waiting = [...this.#waiting].filter((held) => held.target.endpointId === target.endpointId);
    for (const held of waiting.reverse().slice(0, surplus)) this.#giveBack(held);
  }

  #giveBack(held: Held): void {
    this.#drop(held);
    this.#options.ledger.putBack(held.row, { delaySeconds: 0, lastError: null, attempted: false });
  }

  #drop(held: Held): void {
    this.#waiting.delete(held);
    if (this.#held.delete(held)) held.letGo();
  }
}
