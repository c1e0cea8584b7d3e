import { uuidv7 } from 'uuidv7';
import type { Logger } from '../../adapters/logs/logger.ts';
import { pause } from '../../adapters/timing/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import {
  endBurstRows,
  findPendingBurst,
  leaveBursts,
  reserveDueBurst,
  type BurstDelivery,
} from '../../db/outbox/burst-rows.ts';
import { nameBurst } from '../../db/webhooks/deliveries/delivery-steps.ts';
import { burstWorkflowId } from '../../domain/temporal-names.ts';
import { reportOn } from '../../sending/delivery-report.ts';
import type { BurstEntry } from '../../workflows/webhook-burst.workflow.ts';
import type { StartWorkflow } from '../temporal/carry-out.ts';
import type { Outage } from '../temporal/outage.ts';
import type { StartRate } from '../temporal/start-rate.ts';
import { describeTemporalError, isTemporalAway } from '../temporal/temporal-door.ts';
import { burstStart } from '../temporal/workflow-starts.ts';
import { restSeconds } from './acknowledgements.ts';
import { BurstQueue } from './burst-queue.ts';

const LOOK_EVERY_MS = 250;
/** How often to look for bursts that other workers have left. */
const LOOK_FOR_DUE_EVERY_MS = 1000;

export interface BurstsOptions {
  database: Pick<Database, 'outbox'>;
  outage: Outage;
  start: StartWorkflow;
  startRate: StartRate;
  logger: Logger;
}

/**
 * Starts `webhookBurst` workflows for deliveries that succeeded at their first attempt and have no workflow of their
 * own. When a delivery is recorded, its row gets the burst's ID, and the same statement writes an outbox row for the
 * burst (`db/outbox/burst-rows.ts`). Each worker starts its own bursts from memory. If a worker is killed, any worker
 * starts its bursts from the rows.
 */
export class Bursts {
  readonly #options: BurstsOptions;
  readonly #queue = new BurstQueue();
  #lookedForDueMs = -Infinity;

  constructor(options: BurstsOptions) {
    this.#options = options;
  }

  /** The workflow id of the burst for the clinic's next delivery; null when the delivery gets its own workflow. */
  plan(clinicId: string): string | null {
    if (this.#options.startRate.takeDeliveries(1) === 1) return null;
    return this.#queue.plan(clinicId, performance.now());
  }

  /** Call when the record of a delivery planned for this burst was written or failed. */
  settle(workflowId: string): void {
    this.#queue.settle(workflowId);
  }

  /** Starts bursts within the start rate until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { outage, startRate } = this.#options;
    for (await outage.over(); !signal.aborted; await outage.over()) {
      while (!signal.aborted && !outage.lasts && startRate.allowsBurst()) {
        const next = this.#queue.take(performance.now()) ?? (await this.#reserveDue(performance.now()));
        if (next === null) break;
        startRate.tookBurst();
        await this.#start(next);
      }
      await pause(LOOK_EVERY_MS, signal);
    }
  }

  /**
   * Starts the remaining bursts after all records were written; leaves those that Temporal refuses to other workers.
   */
  async settled(): Promise<void> {
    const { database, outage, logger } = this.#options;
    const waiting = this.#queue.takeAll();
    let started = 0;
    for (const workflowId of waiting) {
      if (outage.lasts || !(await this.#start(workflowId))) break;
      started += 1;
    }
    if (started === waiting.length) return;
    const left = { delaySeconds: 0, lastError: null };
    await leaveBursts(database.outbox(), waiting.slice(started), left).catch((error: unknown) =>
      logger.warn({ err: error }, 'outbox.bursts_not_left'),
    );
  }

  async #reserveDue(nowMs: number): Promise<string | null> {
    if (nowMs - this.#lookedForDueMs < LOOK_FOR_DUE_EVERY_MS) return null;
    const { database, logger } = this.#options;
    try {
      const workflowId = await reserveDueBurst(database.outbox());
      // If a burst was found, there may be more.
      if (workflowId === null) this.#lookedForDueMs = nowMs;
      else this.#queue.forget(workflowId);
      return workflowId;
    } catch (error) {
      logger.warn({ err: error }, 'outbox.claim_failed');
      this.#lookedForDueMs = nowMs;
      return null;
    }
  }

  /** Whether Temporal accepted it, or there was nothing left to start. */
  async #start(workflowId: string): Promise<boolean> {
    const { database, outage, logger } = this.#options;
    let failures = 0;
    try {
      const pending = await findPendingBurst(database.outbox(), workflowId);
      if (!pending) return true;
      ({ failures } = pending);
      await this.#startWith(workflowId, pending.deliveries);
      await endBurstRows(database.outbox(), pending.outboxIds);
      return true;
    } catch (error) {
      if (isTemporalAway(error)) outage.noticed();
      const lastError = describeTemporalError(error);
      logger.warn({ kind: 'startBurst', workflowId, failures: failures + 1, lastError }, 'outbox.failed');
      const left = { delaySeconds: restSeconds(failures), lastError };
      await leaveBursts(database.outbox(), [workflowId], left).catch((err: unknown) =>
        logger.warn({ err }, 'outbox.settle_failed'),
      );
      return false;
    }
  }

  /**
   * Starts a burst. If it was started before, it may not contain these deliveries, so they are recorded in another
   * burst too.
   */
  async #startWith(workflowId: string, deliveries: readonly BurstDelivery[]): Promise<void> {
    const { database, start } = this.#options;
    const [first] = deliveries;
    if (!first) return;
    const burst = { clinicId: first.tenantId, deliveries: deliveries.map(toEntry) };
    if (await start(burstStart(workflowId, burst))) return;
    const another = burstWorkflowId(uuidv7());
    await start(burstStart(another, burst));
    await nameBurst(
      database.outbox(),
      another,
      deliveries.map(({ deliveryId }) => deliveryId),
    );
  }
}

function toEntry({ progress, ...delivery }: BurstDelivery): BurstEntry {
  const { deliveryId, eventId, eventType, appointmentId, endpointId } = delivery;
  return {
    deliveryId,
    eventId,
    eventType,
    appointmentId,
    endpointId,
    outcome: reportOn(progress).lastOutcome,
  };
}
