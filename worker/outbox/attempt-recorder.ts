import { setTimeout as delay } from 'node:timers/promises';
import { madeAttempt } from '../../activities/attempt-delivery.ts';
import type { AttemptOutcome } from '../../adapters/webhooks/webhook-client.ts';
import type { Logger } from '../../adapters/logger.ts';
import { recordAttempts } from '../../commands/webhooks/record-attempts.ts';
import { isDatabaseUnreachable } from '../../db/connection/database-unreachable.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import type { DeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';
import type { Timings } from '../../domain/timings.ts';

const LARGEST_BATCH = 256;
const PAUSE_MS = 250;
/** A database that has not taken an outcome for so long lets it travel by its workflow. */
const TRAVEL_AFTER_MS = 2000;

/** A first attempt that was made. */
export interface MadeFirstAttempt {
  outboxId: string;
  failures: number;
  delivery: DeliveryToAttempt;
  outcome: AttemptOutcome;
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

/** Records first attempts: at most one transaction under way, the next one takes all that gathered. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  #waiting: MadeFirstAttempt[] = [];
  #recording: Promise<void> | null = null;
  #isClosing = false;

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  add(made: MadeFirstAttempt): void {
    this.#waiting.push(made);
    this.#recording ??= this.#recordAll();
  }

  /** Ends the recording. An outcome that neither the database nor Temporal takes is lost, and its attempt made again. */
  async settled(): Promise<void> {
    this.#isClosing = true;
    await this.#recording;
  }

  async #recordAll(): Promise<void> {
    // What ends within one turn is recorded together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, LARGEST_BATCH);
      this.#waiting = this.#waiting.slice(batch.length);
      const left = await this.#record(batch);
      if (left.length === 0) continue;
      const stuck = await this.#withoutTravellers(left);
      if (this.#isClosing) this.#giveUp(stuck);
      else this.#waiting.push(...stuck);
      if (stuck.length > 0 && !this.#isClosing) await delay(PAUSE_MS);
    }
    this.#recording = null;
  }

  /** Returns what could not be recorded. One attempt that the database refuses keeps no other from being recorded. */
  async #record(batch: MadeFirstAttempt[]): Promise<MadeFirstAttempt[]> {
    const { database, timings, logger, burstFor, onRecorded } = this.#options;
    try {
      const attempts = batch.map(({ delivery, outcome }) => madeAttempt(delivery, 1, outcome));
      const burst = burstFor(attempts.length);
      const found = await recordAttempts(database.outbox(), attempts, timings, { burst });
      for (const made of batch) onRecorded(made, found.get(made.delivery.deliveryId) ?? null);
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
  async #withoutTravellers(left: MadeFirstAttempt[]): Promise<MadeFirstAttempt[]> {
    const now = performance.now();
    const mayTravel = ({ madeAt }: MadeFirstAttempt) => this.#isClosing || now - madeAt >= TRAVEL_AFTER_MS;
    const stay = await Promise.all(
      left.map(async (made) => !mayTravel(made) || !(await this.#options.travel(made))),
    );
    return left.filter((_, at) => stay[at]);
  }

  #giveUp(lost: MadeFirstAttempt[]): void {
    for (const { delivery } of lost) {
      this.#options.logger.error({ deliveryId: delivery.deliveryId, attempt: 1 }, 'delivery.outcome_lost');
    }
  }
}
