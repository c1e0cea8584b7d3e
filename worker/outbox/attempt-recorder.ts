import type { Logger } from '../../adapters/logs/logger.ts';
import {
  recordAttempts,
  recordFreeAttempts,
  type MadeAttempt,
} from '../../commands/webhooks/record-attempts.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { isPassingFailure } from '../../db/connection/database-errors.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import type { DeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';
import { isBurstWorkflowId } from '../../domain/temporal-names.ts';
import { madeAttempt, toHeartbeat } from '../../sending/made-attempt.ts';
import type { SentOutcome } from '../../sending/send-attempt.ts';
import type { StartWorkflow } from '../temporal/carry-out.ts';
import { describeTemporalError } from '../temporal/temporal-door.ts';
import { deliveryStart } from '../temporal/workflow-starts.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import { BatchWriter } from './batch-writer.ts';
import type { Bursts } from './bursts.ts';

/**
 * If the database has not accepted an outcome after this time, the delivery's workflow is started with the outcome and
 * records it.
 */
const VIA_WORKFLOW_AFTER_MS = 2000;

/** For how many clinics records wait for a lock at the same time. Each uses a connection. */
const MAX_ASIDE = 4;
/** How long records of a clinic wait for a lock before it is the next clinic's turn. */
const LOCK_TIMEOUT_MS = 250;

/** A row whose delivery is being attempted. */
export type AttemptedRow = ClaimedDelivery & { delivery: DeliveryToAttempt };

/** A first attempt that was made. */
interface Waiting {
  row: AttemptedRow;
  outcome: SentOutcome;
  since: number;
  /** Called when the outcome is recorded, handed to its workflow, or lost. */
  settle: () => void;
}

export interface AttemptRecorderOptions {
  database: Database;
  bursts: Bursts;
  acknowledgements: Acknowledgements;
  start: StartWorkflow;
  /** DASHBOARD_URL, for links. */
  dashboardUrl?: string | null;
  /** Called when there are rows whose delivery needs a workflow of its own. */
  onAttempted: () => void;
  logger: Logger;
}

/**
 * Records first attempts, many per statement, and updates their outbox rows in the same statement. Records that must
 * wait for another transaction are queued separately for each clinic, so that clinics do not wait for each other. An
 * outcome is lost only if the worker stops and neither the database nor Temporal accepts it.
 */
export class AttemptRecorder extends BatchWriter<Waiting> {
  protected override readonly largestBatch = 256;
  protected override readonly retryAfterMs = 250;
  readonly #options: AttemptRecorderOptions;
  /** The records that wait for another transaction, by clinic. */
  readonly #aside = new Map<string, Waiting[]>();
  readonly #recordingAside = new Set<Promise<void>>();

  constructor(options: AttemptRecorderOptions) {
    super();
    this.#options = options;
  }

  record(row: AttemptedRow, outcome: SentOutcome): Promise<void> {
    return new Promise((settle) => this.add({ row, outcome, since: performance.now(), settle }));
  }

  override async settled(): Promise<void> {
    await super.settled();
    await Promise.all(this.#recordingAside);
  }

  protected override async write(batch: readonly Waiting[], isLast: boolean): Promise<Waiting[]> {
    const { database } = this.#options;
    const left = await this.#record(batch, (attempts) => recordFreeAttempts(database.outbox(), attempts));
    return this.#viaWorkflowsOrWait(left, isLast);
  }

  /**
   * Records a batch and returns the attempts that could not be recorded. An attempt that the database refuses does not
   * block the others.
   */
  async #record(batch: readonly Waiting[], record: Record): Promise<readonly Waiting[]> {
    const { logger, bursts } = this.#options;
    const attempts = batch.map((made) => this.#planned(made));
    try {
      const found = await record(attempts);
      for (const made of batch) this.#settle(made, found);
      return [];
    } catch (error) {
      logger.warn({ err: error, attempts: batch.length }, 'delivery.attempts_unrecorded');
      if (batch.length === 1 || isPassingFailure(error)) return batch;
    } finally {
      for (const { burst } of attempts) if (burst) bursts.settle(burst);
    }
    const left = [];
    for (const made of batch) left.push(...(await this.#record([made], record)));
    return left;
  }

  #planned({ row, outcome }: Waiting): MadeAttempt {
    const isInBurst = outcome.outcome === 'succeeded';
    return {
      ...madeAttempt(row.delivery, 1, outcome),
      burst: isInBurst ? this.#options.bursts.plan(row.delivery.tenantId) : null,
      outboxRow: row,
    };
  }

  #settle(made: Waiting, found: Map<string, DeliveryProgress | null>): void {
    const progress = found.get(made.row.delivery.deliveryId);
    if (progress === undefined) return this.#setAside(made);
    if (!progress || !isBurstWorkflowId(progress.workflowId)) this.#options.onAttempted();
    made.settle();
  }

  #setAside(made: Waiting): void {
    const { tenantId } = made.row.delivery;
    this.#aside.set(tenantId, [...(this.#aside.get(tenantId) ?? []), made]);
    if (this.#recordingAside.size >= MAX_ASIDE) return;
    const end = this.#recordAside().finally(() => this.#recordingAside.delete(end));
    this.#recordingAside.add(end);
  }

  /** Records waiting attempts clinic by clinic. A clinic whose records must still wait moves to the end. */
  async #recordAside(): Promise<void> {
    for (let [next] = this.#aside; next; [next] = this.#aside) {
      const [clinicId, waiting] = next;
      this.#aside.delete(clinicId);
      const left = await this.#record(waiting.splice(0, this.largestBatch), (attempts) =>
        this.#recordWaiting(attempts),
      );
      waiting.push(...(await this.#viaWorkflowsOrWait(left, this.isLast)));
      for (const made of waiting) this.#setAside(made);
    }
  }

  async #recordWaiting(attempts: readonly MadeAttempt[]): Promise<Map<string, DeliveryProgress | null>> {
    const { database, acknowledgements } = this.#options;
    const found = await recordAttempts(database.em(), attempts, LOCK_TIMEOUT_MS);
    // The attempt was recorded before, but its row was not updated.
    for (const { outboxRow } of attempts) {
      if (outboxRow) acknowledgements.release({ ...outboxRow, failures: 0 }, { attempted: true });
    }
    // A deleted delivery has no progress.
    return new Map(attempts.map(({ deliveryId }) => [deliveryId, found.get(deliveryId) ?? null]));
  }

  /** Hands outcomes that have waited long enough to their workflows. Returns those that still wait. */
  async #viaWorkflowsOrWait(left: readonly Waiting[], isLast: boolean): Promise<Waiting[]> {
    const now = performance.now();
    const isDue = ({ since }: Waiting) => isLast || now - since >= VIA_WORKFLOW_AFTER_MS;
    const stay = await Promise.all(
      left.map(async (made) => !isDue(made) || !(await this.#viaWorkflow(made))),
    );
    const stuck = left.filter((_, at) => stay[at]);
    if (!isLast) return stuck;
    for (const { row, settle } of stuck) {
      const { deliveryId } = row.delivery;
      this.#options.logger.error({ deliveryId, attempt: 1 }, 'delivery.outcome_lost');
      settle();
    }
    return [];
  }

  /** Lets the delivery's workflow record the attempt; false when Temporal does not accept it either. */
  async #viaWorkflow({ row, outcome, settle }: Waiting): Promise<boolean> {
    const { start, acknowledgements, logger, dashboardUrl } = this.#options;
    const { delivery } = row;
    const unrecorded = toHeartbeat({ number: 1, outcome });
    try {
      await start(deliveryStart({ ...delivery, ...delivery.progress }, { unrecorded }, dashboardUrl));
      acknowledgements.done(row);
      settle();
      return true;
    } catch (error) {
      const lastError = describeTemporalError(error);
      logger.warn({ deliveryId: delivery.deliveryId, lastError }, 'delivery.outcome_not_taken');
      return false;
    }
  }
}

/**
 * Records attempts and returns the progress of their deliveries; null for a deleted delivery. Deliveries that must wait
 * for another transaction are missing.
 */
type Record = (attempts: readonly MadeAttempt[]) => Promise<Map<string, DeliveryProgress | null>>;
