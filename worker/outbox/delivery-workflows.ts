import { reportOn } from '../../activities/delivery-report.ts';
import type { TravellingOutcome } from '../../activities/until-recorded.ts';
import type { Logger } from '../../adapters/logger.ts';
import { pause } from '../../adapters/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import { nameBurst } from '../../db/webhooks/deliveries/delivery-steps.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import type { DeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';
import { describeTemporalError } from '../temporal-errors.ts';
import { EndedDeliveries, LARGEST_BURST } from './ended-deliveries.ts';
import { backoffSeconds, type OutboxLedger } from './outbox-ledger.ts';
import { burstStart, deliveryStart, type DeliveryToTellOf, type WorkflowStart } from './workflow-starts.ts';

/** Workflows of open deliveries that are being started at once. */
const CONCURRENCY = 16;
const RECORD_EVERY_MS = 1000;
/** More wait in the outbox instead; what ends within ten seconds, in a drain too. */
const MOST_WAITING = 20_000;
const WAIT_IN_OUTBOX_SECONDS = 5;

/** A row whose delivery has had its first attempt. */
export type AttemptedDelivery = ClaimedDelivery & { delivery: DeliveryToAttempt };

/** What that attempt came to, and what its workflow tells of the delivery: no body and no secrets, for thousands may wait. */
export interface RecordedDelivery extends ClaimedRow {
  delivery: DeliveryToTellOf;
  progress: DeliveryProgress;
}

export interface DeliveryWorkflowsOptions {
  database: Database;
  ledger: OutboxLedger;
  start: (workflow: WorkflowStart) => Promise<void>;
  logger: Logger;
}

/** Gives deliveries their workflows once the first attempt was made. */
export class DeliveryWorkflows {
  readonly #options: DeliveryWorkflowsOptions;
  readonly #stopping = new AbortController();
  readonly #open: RecordedDelivery[] = [];
  readonly #starting = new Set<Promise<void>>();
  readonly #ended = new EndedDeliveries();
  #recording: Promise<void> | null = null;

  constructor(options: DeliveryWorkflowsOptions) {
    this.#options = options;
  }

  /** An open delivery: its workflow makes the next attempts. Started at once. */
  goOn(row: AttemptedDelivery, progress: DeliveryProgress): void {
    this.#open.push(recorded(row, progress));
    this.#startOpen();
  }

  /** A delivery that has ended: its workflow is only the record of it, started behind everything urgent. */
  keepRecord(row: AttemptedDelivery, progress: DeliveryProgress): void {
    if (this.#ended.size >= MOST_WAITING) {
      const rest = { delaySeconds: WAIT_IN_OUTBOX_SECONDS, lastError: null, attempted: true };
      this.#options.ledger.putBack(row, rest);
      return;
    }
    this.#ended.add(recorded(row, progress), performance.now());
    this.#recording ??= this.#recordEnded();
  }

  /** Lets the workflow record the attempt; false when Temporal does not take it. */
  async travel(row: AttemptedDelivery, made: TravellingOutcome): Promise<boolean> {
    const { start, ledger, logger } = this.#options;
    const { delivery } = row;
    try {
      await start(deliveryStart({ ...delivery, ...delivery.progress }, { unrecorded: made }));
      ledger.done(row);
      return true;
    } catch (error) {
      const lastError = describeTemporalError(error);
      logger.warn({ deliveryId: delivery.deliveryId, lastError }, 'delivery.outcome_not_taken');
      return false;
    }
  }

  /** The burst that so many deliveries may name which end now; null while each has a workflow of its own. */
  burstFor(count: number): string | null {
    return this.#ended.burstFor(count);
  }

  isFull(): boolean {
    return this.#open.length + this.#ended.size >= MOST_WAITING;
  }

  /** Starts what waits; what Temporal does not take now stays in the outbox, and is free when the lease ends. */
  async settled(): Promise<void> {
    this.#stopping.abort();
    while (this.#starting.size > 0) await Promise.all(this.#starting);
    await this.#recording;
  }

  #startOpen(): void {
    while (this.#starting.size < CONCURRENCY) {
      const next = this.#open.shift();
      if (!next) return;
      const end = this.#startNext(next).finally(() => {
        this.#starting.delete(end);
        this.#startOpen();
      });
      this.#starting.add(end);
    }
  }

  /** A worker that stops leaves the others to the next one when Temporal does not take one. */
  async #startNext(next: RecordedDelivery): Promise<void> {
    const isTaken = await this.#startOwn(next);
    if (!isTaken && this.#stopping.signal.aborted) this.#open.length = 0;
  }

  /** Whether Temporal took it. */
  async #startOwn(recorded: RecordedDelivery): Promise<boolean> {
    const { start, ledger } = this.#options;
    const { delivery, progress } = recorded;
    try {
      await start(deliveryStart({ ...delivery, ...progress }, { first: reportOn(progress) }));
      ledger.done(recorded);
      return true;
    } catch (error) {
      this.#putBack([recorded], error);
      return false;
    }
  }

  async #recordEnded(): Promise<void> {
    const { signal } = this.#stopping;
    const mayWait = () => !signal.aborted && this.#ended.mayWait(performance.now());
    while (this.#ended.size > 0) {
      if (this.#ended.size < LARGEST_BURST) await pause(RECORD_EVERY_MS, signal);
      while (mayWait()) await pause(RECORD_EVERY_MS, signal);
      await this.#recordWaiting();
    }
    this.#recording = null;
  }

  /** Starts what records those that wait now. A worker that stops leaves the others too when Temporal does not take one. */
  async #recordWaiting(): Promise<void> {
    let left = this.#ended.size;
    let isTaken = true;
    while (left > 0) {
      const { burst, ended } = this.#ended.take();
      left -= ended.length;
      if (!isTaken && this.#stopping.signal.aborted) continue;
      if (burst) isTaken = await this.#startBurst(burst, ended);
      else for (const each of ended) isTaken = await this.#startOwn(each);
    }
  }

  /** Whether Temporal took it. */
  async #startBurst(burst: string, ended: readonly RecordedDelivery[]): Promise<boolean> {
    const { start, database, ledger } = this.#options;
    const reports = ended.map(({ delivery, progress }) => ({ ...delivery, report: reportOn(progress) }));
    const unnamed = ended.flatMap(({ progress, delivery }) =>
      progress.workflowId === burst ? [] : delivery.deliveryId,
    );
    try {
      await start(burstStart(burst, reports));
      if (unnamed.length > 0) await nameBurst(database.outbox(), burst, unnamed);
      for (const row of ended) ledger.done(row);
      return true;
    } catch (error) {
      this.#putBack(ended, error);
      return false;
    }
  }

  #putBack(rows: readonly RecordedDelivery[], error: unknown): void {
    const { ledger, logger } = this.#options;
    const lastError = describeTemporalError(error);
    logger.warn({ kind: 'startDelivery', rows: rows.length, lastError }, 'outbox.failed');
    for (const row of rows) {
      ledger.putBack(row, { delaySeconds: backoffSeconds(row.failures), lastError, attempted: true });
    }
  }
}

function recorded(
  { outboxId, claimedBy, failures, delivery }: AttemptedDelivery,
  progress: DeliveryProgress,
): RecordedDelivery {
  const { deliveryId, tenantId, endpointId, eventType, appointmentId } = delivery;
  return {
    outboxId,
    claimedBy,
    failures,
    delivery: { deliveryId, tenantId, endpointId, eventType, appointmentId },
    progress,
  };
}
