import { madeAttempt, toTravelling } from '../../sending/made-attempt.ts';
import type { SentOutcome } from '../../sending/send-attempt.ts';
import {
  recordAttempts,
  recordFreeAttempts,
  type MadeAttempt,
} from '../../commands/webhooks/record-attempts.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import { isPassingFailure } from '../../db/connection/passing-failure.ts';
import type { AttemptedDelivery } from './recorded-delivery.ts';
import { Gathered } from './gathered.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';

/** A database that has not taken an outcome for so long lets it travel by its workflow. */
const TRAVEL_AFTER_MS = 2000;

/** Clinics whose records wait for a lock at once; each holds a connection meanwhile. */
const MOST_ASIDE = 4;
/** Then it is the next clinic's turn. */
const LOCK_TIMEOUT_MS = 250;

/** A first attempt that was made. */
interface Waiting {
  row: AttemptedDelivery;
  outcome: SentOutcome;
  since: number;
  answer: (isKept: boolean) => void;
}

type Options = Pick<DispatcherParts, 'database' | 'timings' | 'logger' | 'workflows' | 'deliveries'>;

/**
 * Records first attempts, many in one statement. What has to wait for another transaction is set aside and waits by clinic, so that no
 * clinic's records wait for rows of another one. An outcome that neither the database nor Temporal takes from a worker that stops is lost.
 */
export class AttemptRecorder extends Gathered<Waiting, Options> {
  protected override readonly atOnce = 256;
  protected override readonly restMs = 250;
  /** By clinic. */
  readonly #aside = new Map<string, Waiting[]>();
  readonly #recordingAside = new Set<Promise<void>>();

  /** Waits until it is recorded, or its workflow will record it; false when neither can be. */
  record(row: AttemptedDelivery, outcome: SentOutcome): Promise<boolean> {
    return new Promise((answer) => this.add({ row, outcome, since: performance.now(), answer }));
  }

  override async settled(): Promise<void> {
    await super.settled();
    await Promise.all(this.#recordingAside);
  }

  /** Returns those whose outcomes have to wait. */
  protected override async take(batch: readonly Waiting[], isLast: boolean): Promise<Waiting[]> {
    const { database, timings } = this.options;
    const left = await this.#record(batch, (attempts) =>
      recordFreeAttempts(database.outbox(), attempts, timings),
    );
    return this.#travelOrWait(left, isLast);
  }

  /** Returns what could not be recorded. One attempt that the database refuses keeps no other from being recorded. */
  async #record(batch: readonly Waiting[], write: Write): Promise<readonly Waiting[]> {
    const { logger, workflows, deliveries } = this.options;
    const attempts = batch.map(({ row, outcome }) => ({
      ...madeAttempt(row.delivery, 1, outcome),
      burst: outcome.outcome === 'succeeded' ? workflows.planRecord(row.delivery.tenantId) : null,
    }));
    try {
      const found = await write(attempts);
      for (const [at, made] of batch.entries()) {
        const progress = found.get(made.row.delivery.deliveryId);
        if (progress === undefined) {
          this.#setAside(made);
          continue;
        }
        deliveries.follow(made.row, progress, attempts[at]?.burst ?? null);
        made.answer(true);
      }
      return [];
    } catch (error) {
      logger.warn({ err: error, attempts: batch.length }, 'delivery.attempts_unrecorded');
      if (batch.length === 1 || isPassingFailure(error)) return batch;
      const left = [];
      for (const made of batch) left.push(...(await this.#record([made], write)));
      return left;
    }
  }

  #setAside(made: Waiting): void {
    const { tenantId } = made.row.delivery;
    this.#aside.set(tenantId, [...(this.#aside.get(tenantId) ?? []), made]);
    if (this.#recordingAside.size >= MOST_ASIDE) return;
    const end = this.#recordAside().finally(() => this.#recordingAside.delete(end));
    this.#recordingAside.add(end);
  }

  /** Clinic by clinic; one that still has to wait goes behind the others. */
  async #recordAside(): Promise<void> {
    const { database, timings } = this.options;
    const write: Write = async (attempts) => {
      const found = await recordAttempts(database.em(), attempts, timings, LOCK_TIMEOUT_MS);
      // A delivery that is gone has no progress.
      return new Map(attempts.map(({ deliveryId }) => [deliveryId, found.get(deliveryId) ?? null]));
    };
    for (let [next] = this.#aside; next; [next] = this.#aside) {
      const [clinicId, waiting] = next;
      this.#aside.delete(clinicId);
      const left = await this.#record(waiting.splice(0, this.atOnce), write);
      waiting.push(...(await this.#travelOrWait(left, this.isLast)));
      for (const made of waiting) this.#setAside(made);
    }
  }

  /** Returns those that wait on. */
  async #travelOrWait(left: readonly Waiting[], isLast: boolean): Promise<Waiting[]> {
    const stuck = await this.#withoutTravellers(left, isLast);
    if (!isLast) return stuck;
    this.#giveUp(stuck);
    return [];
  }

  /** Outcomes that have waited long enough travel by their workflows; returns the others. */
  async #withoutTravellers(left: readonly Waiting[], isLast: boolean): Promise<Waiting[]> {
    const now = performance.now();
    const mayTravel = ({ since }: Waiting) => isLast || now - since >= TRAVEL_AFTER_MS;
    const stay = await Promise.all(left.map(async (made) => !mayTravel(made) || !(await this.#travel(made))));
    return left.filter((_, at) => stay[at]);
  }

  /** False when Temporal does not take it either. */
  async #travel({ row, outcome, answer }: Waiting): Promise<boolean> {
    const isTaken = await this.options.workflows.travel(row, toTravelling({ number: 1, outcome }));
    if (isTaken) answer(true);
    return isTaken;
  }

  #giveUp(lost: readonly Waiting[]): void {
    for (const { row, answer } of lost) {
      const { deliveryId } = row.delivery;
      this.options.logger.error({ deliveryId, attempt: 1 }, 'delivery.outcome_lost');
      answer(false);
    }
  }
}

/** Returns how deliveries stand, null for one that is gone; without those that have to wait for another transaction. */
type Write = (attempts: readonly MadeAttempt[]) => Promise<Map<string, DeliveryProgress | null>>;
