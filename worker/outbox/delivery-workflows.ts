import { uuidv7 } from 'uuidv7';
import { reportOn } from '../../activities/delivery-report.ts';
import type { TravellingOutcome } from '../../activities/until-recorded.ts';
import type { Logger } from '../../adapters/logger.ts';
import { pause } from '../../adapters/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { carryInBurst } from '../../db/webhooks/deliveries/delivery-steps.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import type { DeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';
import { burstWorkflowId } from '../../domain/temporal-names.ts';
import { describeTemporalError } from '../temporal-errors.ts';
import { backoffSeconds, type OutboxLedger } from './outbox-ledger.ts';
import { burstStart, deliveryStart, type WorkflowStart } from './workflow-starts.ts';

/** Workflows of open deliveries that are being started at once. */
const CONCURRENCY = 16;
/** More successes than these within a second share a workflow. */
const WORTH_THEIR_OWN = 5;
const LARGEST_BURST = 256;
const RECORD_EVERY_MS = 1000;
/** More wait in the outbox instead. */
const MOST_WAITING = 2000;
const WAIT_IN_OUTBOX_SECONDS = 5;

/** A row whose delivery has had its first attempt. */
export type AttemptedDelivery = ClaimedDelivery & { delivery: DeliveryToAttempt };

export interface DeliveryWorkflowsOptions {
  database: Database;
  ledger: OutboxLedger;
  start: (workflow: WorkflowStart) => Promise<void>;
  logger: Logger;
}

type Waiting = { row: AttemptedDelivery; progress: DeliveryProgress };

/** Gives deliveries their workflows once the first attempt was made. */
export class DeliveryWorkflows {
  readonly #options: DeliveryWorkflowsOptions;
  readonly #stopping = new AbortController();
  readonly #open: Waiting[] = [];
  readonly #starting = new Set<Promise<void>>();
  #ended: Waiting[] = [];
  #recording: Promise<void> | null = null;

  constructor(options: DeliveryWorkflowsOptions) {
    this.#options = options;
  }

  /** An open delivery: its workflow makes the next attempts. Started at once. */
  goOn(row: AttemptedDelivery, progress: DeliveryProgress): void {
    this.#open.push({ row, progress });
    this.#startOpen();
  }

  /** A delivery that has ended: its workflow is only the record of it, started behind everything urgent. */
  keepRecord(row: AttemptedDelivery, progress: DeliveryProgress): void {
    if (this.#ended.length >= MOST_WAITING) {
      const rest = { delaySeconds: WAIT_IN_OUTBOX_SECONDS, lastError: null, attempted: true };
      this.#options.ledger.deferred({ id: row.outboxId, ...rest });
      return;
    }
    this.#ended.push({ row, progress });
    this.#recording ??= this.#recordEnded();
  }

  /** Lets the workflow record the attempt; false when Temporal does not take it. */
  async travel({ delivery, outboxId }: AttemptedDelivery, made: TravellingOutcome): Promise<boolean> {
    const { start, ledger, logger } = this.#options;
    try {
      await start(deliveryStart(delivery, { unrecorded: made }));
      ledger.done(outboxId);
      return true;
    } catch (error) {
      const lastError = describeTemporalError(error);
      logger.warn({ deliveryId: delivery.deliveryId, lastError }, 'delivery.outcome_not_taken');
      return false;
    }
  }

  isFull(): boolean {
    return this.#open.length + this.#ended.length >= MOST_WAITING;
  }

  /** Starts what waits; what Temporal does not take now stays in the outbox. */
  async settled(): Promise<void> {
    this.#stopping.abort();
    while (this.#starting.size > 0) await Promise.all(this.#starting);
    await this.#recording;
  }

  #startOpen(): void {
    while (this.#starting.size < CONCURRENCY) {
      const next = this.#open.shift();
      if (!next) return;
      const end = this.#startOwn(next).finally(() => {
        this.#starting.delete(end);
        this.#startOpen();
      });
      this.#starting.add(end);
    }
  }

  async #startOwn({ row, progress }: Waiting): Promise<void> {
    const { start, ledger } = this.#options;
    try {
      await start(deliveryStart(row.delivery, { first: reportOn(progress) }));
      ledger.done(row.outboxId);
    } catch (error) {
      this.#putBack([row], error);
    }
  }

  async #recordEnded(): Promise<void> {
    while (this.#ended.length > 0) {
      if (this.#ended.length < LARGEST_BURST) await pause(RECORD_EVERY_MS, this.#stopping.signal);
      const batch = this.#ended.slice(0, LARGEST_BURST);
      this.#ended = this.#ended.slice(batch.length);
      if (batch.length > WORTH_THEIR_OWN) await this.#startBurst(batch);
      else for (const each of batch) await this.#startOwn(each);
    }
    this.#recording = null;
  }

  async #startBurst(batch: readonly Waiting[]): Promise<void> {
    const { start, database } = this.#options;
    const workflowId = burstWorkflowId(uuidv7());
    const rows = batch.map(({ row }) => row);
    try {
      const deliveries = batch.map(({ row, progress }) => ({ ...row.delivery, report: reportOn(progress) }));
      await start(burstStart(workflowId, deliveries));
      const carried = rows.map(({ outboxId, delivery }) => ({ outboxId, deliveryId: delivery.deliveryId }));
      await carryInBurst(database.em(), workflowId, carried);
    } catch (error) {
      this.#putBack(rows, error);
    }
  }

  #putBack(rows: readonly AttemptedDelivery[], error: unknown): void {
    const { ledger, logger } = this.#options;
    const lastError = describeTemporalError(error);
    logger.warn({ kind: 'startDelivery', rows: rows.length, lastError }, 'outbox.failed');
    for (const { outboxId: id, failures } of rows) {
      ledger.deferred({ id, delaySeconds: backoffSeconds(failures), lastError, attempted: true });
    }
  }
}
