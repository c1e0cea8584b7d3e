import { madeAttempt, toTravelling } from '../../sending/made-attempt.ts';
import type { SentOutcome } from '../../sending/send-attempt.ts';
import { recordAttempts } from '../../commands/webhooks/record-attempts.ts';
import { isPassingFailure } from '../../db/connection/passing-failure.ts';
import type { AttemptedDelivery } from './recorded-delivery.ts';
import { Gathered } from './gathered.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';

/** A database that has not taken an outcome for so long lets it travel by its workflow. */
const TRAVEL_AFTER_MS = 2000;

/** A first attempt that was made. */
interface Waiting {
  row: AttemptedDelivery;
  outcome: SentOutcome;
  since: number;
  answer: (isKept: boolean) => void;
}

type Options = Pick<DispatcherParts, 'database' | 'timings' | 'logger' | 'workflows' | 'deliveries'>;

/** Records first attempts. An outcome that neither the database nor Temporal takes from a worker that stops is lost. */
export class AttemptRecorder extends Gathered<Waiting, Options> {
  protected override readonly atOnce = 256;
  protected override readonly restMs = 250;

  /** Waits until it is recorded, or its workflow will record it; false when neither can be. */
  record(row: AttemptedDelivery, outcome: SentOutcome): Promise<boolean> {
    return new Promise((answer) => this.add({ row, outcome, since: performance.now(), answer }));
  }

  /** Returns those whose outcomes have to wait. */
  protected override async take(batch: readonly Waiting[], isLast: boolean): Promise<Waiting[]> {
    const left = await this.#record(batch);
    const stuck = await this.#withoutTravellers(left, isLast);
    if (isLast) this.#giveUp(stuck);
    return stuck;
  }

  /** Returns what could not be recorded. One attempt that the database refuses keeps no other from being recorded. */
  async #record(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { database, timings, logger, workflows, deliveries } = this.options;
    try {
      const attempts = batch.map(({ row, outcome }) => ({
        ...madeAttempt(row.delivery, 1, outcome),
        burst: outcome.outcome === 'succeeded' ? workflows.planRecord(row.delivery.tenantId) : null,
      }));
      const found = await recordAttempts(database.outbox(), attempts, timings);
      for (const [at, { row, answer }] of batch.entries()) {
        deliveries.follow(row, found.get(row.delivery.deliveryId) ?? null, attempts[at]?.burst ?? null);
        answer(true);
      }
      return [];
    } catch (error) {
      logger.warn({ err: error, attempts: batch.length }, 'delivery.attempts_unrecorded');
      if (batch.length === 1 || isPassingFailure(error)) return batch;
      const left = [];
      for (const made of batch) left.push(...(await this.#record([made])));
      return left;
    }
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
