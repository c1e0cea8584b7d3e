import { madeAttempt } from '../../activities/attempt-delivery.ts';
import type { SentOutcome } from '../../activities/send-attempt.ts';
import type { Logger } from '../../adapters/logger.ts';
import { recordAttempts } from '../../commands/webhooks/record-attempts.ts';
import { isDatabaseUnreachable } from '../../db/connection/database-unreachable.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import type { Timings } from '../../domain/timings.ts';
import type { AttemptedDelivery } from './recorded-delivery.ts';
import { Gathered } from './gathered.ts';

const LARGEST_BATCH = 256;
const PAUSE_MS = 250;
/** A database that has not taken an outcome for so long lets it travel by its workflow. */
const TRAVEL_AFTER_MS = 2000;

/** A first attempt that was made. */
export interface MadeFirstAttempt {
  row: AttemptedDelivery;
  outcome: SentOutcome;
  madeAt: number;
}

export interface AttemptRecorderOptions {
  database: Database;
  timings: Timings;
  logger: Logger;
  /** The workflow that will be the record of so many successes; null when each has its own. */
  burstFor: (count: number) => string | null;
  onRecorded: (made: MadeFirstAttempt, progress: DeliveryProgress | null) => void;
  /** Gives the outcome to the delivery's workflow; false when Temporal does not take it either. */
  travel: (made: MadeFirstAttempt) => Promise<boolean>;
}

/** Records first attempts. An outcome that neither the database nor Temporal takes from a worker that stops is lost. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  readonly #made = new Gathered<MadeFirstAttempt>({
    take: (batch, isLast) => this.#recordOrTravel(batch, isLast),
    atOnce: LARGEST_BATCH,
    restMs: PAUSE_MS,
  });

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  add(made: MadeFirstAttempt): void {
    this.#made.add(made);
  }

  settled(): Promise<void> {
    return this.#made.settled();
  }

  /** Returns those whose outcomes have to wait. */
  async #recordOrTravel(batch: readonly MadeFirstAttempt[], isLast: boolean): Promise<MadeFirstAttempt[]> {
    const left = await this.#record(batch);
    const stuck = await this.#withoutTravellers(left, isLast);
    if (isLast) this.#giveUp(stuck);
    return stuck;
  }

  /** Returns what could not be recorded. One attempt that the database refuses keeps no other from being recorded. */
  async #record(batch: readonly MadeFirstAttempt[]): Promise<readonly MadeFirstAttempt[]> {
    const { database, timings, logger, burstFor, onRecorded } = this.#options;
    try {
      const attempts = batch.map(({ row, outcome }) => madeAttempt(row.delivery, 1, outcome));
      const burst = burstFor(attempts.length);
      const found = await recordAttempts(database.outbox(), attempts, timings, { burst });
      for (const made of batch) onRecorded(made, found.get(made.row.delivery.deliveryId) ?? null);
      return [];
    } catch (error) {
      logger.warn({ err: error, attempts: batch.length }, 'delivery.attempts_unrecorded');
      if (batch.length === 1 || isDatabaseUnreachable(error)) return batch;
      const left = [];
      for (const made of batch) left.push(...(await this.#record([made])));
      return left;
    }
  }

  /** Outcomes that have waited long enough travel by their workflows; returns the others. */
  async #withoutTravellers(left: readonly MadeFirstAttempt[], isLast: boolean): Promise<MadeFirstAttempt[]> {
    const now = performance.now();
    const mayTravel = ({ madeAt }: MadeFirstAttempt) => isLast || now - madeAt >= TRAVEL_AFTER_MS;
    const stay = await Promise.all(
      left.map(async (made) => !mayTravel(made) || !(await this.#options.travel(made))),
    );
    return left.filter((_, at) => stay[at]);
  }

  #giveUp(lost: readonly MadeFirstAttempt[]): void {
    for (const { row } of lost) {
      this.#options.logger.error(
        { deliveryId: row.delivery.deliveryId, attempt: 1 },
        'delivery.outcome_lost',
      );
    }
  }
}
