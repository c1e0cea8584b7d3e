import { reportOn } from '../../sending/delivery-report.ts';
import type { TravellingOutcome } from '../../sending/made-attempt.ts';
import { pause } from '../../adapters/timing/pause.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import { nameBurst } from '../../db/webhooks/deliveries/delivery-steps.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import { describeTemporalError, isTemporalAway } from '../temporal-door.ts';
import { BurstQueue, type Burst } from './burst-queue.ts';
import { MOST_OPEN, OpenDeliveries } from './open-deliveries.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';
import { recorded, type AttemptedDelivery, type RecordedDelivery } from './recorded-delivery.ts';
import { burstStart, deliveryStart } from './workflow-starts.ts';

/** Workflows of open deliveries that are being started at once. */
const CONCURRENCY = 16;
const RECORD_EVERY_MS = 250;
/** More wait in the outbox instead: as many as end within ten seconds in a drain. */
const MOST_ENDED = 20_000;
const WAIT_IN_OUTBOX_SECONDS = 5;

type Options = Pick<
  DispatcherParts,
  'database' | 'ledger' | 'outage' | 'start' | 'startRate' | 'dashboardUrl' | 'logger'
>;

/** Gives deliveries their workflows once the first attempt was made. */
export class DeliveryWorkflows {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  readonly #open = new OpenDeliveries();
  readonly #starting = new Set<Promise<void>>();
  /** Deliveries that have ended and get a workflow of their own. */
  #ended: RecordedDelivery[] = [];
  readonly #bursts = new BurstQueue();
  #recording: Promise<void> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** An open delivery: its workflow makes the next attempts. Started at once, or by a worker that reaches Temporal. */
  goOn(row: AttemptedDelivery, progress: DeliveryProgress): void {
    if (this.#options.outage.lasts) return this.#leaveInOutbox(row);
    const left = this.#open.add(recorded(row, progress));
    if (left) this.#leaveInOutbox(left, WAIT_IN_OUTBOX_SECONDS);
    this.#startOpen();
  }

  /** What is to record a delivery of this clinic that succeeds: the id of a burst, or null for a workflow of its own. */
  planRecord(clinicId: string): string | null {
    if (this.#options.startRate.takeDeliveries(1) === 1) return null;
    return this.#bursts.reserve(clinicId, performance.now());
  }

  /** A delivery that has ended: its workflow is only the record of it. @param burst as `planRecord` said */
  keepRecord(row: AttemptedDelivery, progress: DeliveryProgress, burst: string | null): void {
    if (this.#options.outage.lasts) return this.#leaveInOutbox(row);
    if (this.#endedCount() >= MOST_ENDED) return this.#leaveInOutbox(row, WAIT_IN_OUTBOX_SECONDS);
    if (burst === null) this.#ended.push(recorded(row, progress));
    else this.#bursts.add(recorded(row, progress), burst, performance.now());
    this.#recording ??= this.#recordEnded();
  }

  #endedCount(): number {
    return this.#ended.length + this.#bursts.size;
  }

  #leaveInOutbox(row: ClaimedRow, delaySeconds = 0): void {
    this.#options.ledger.putBack(row, { delaySeconds, lastError: null, attempted: true });
  }

  /** Lets the workflow record the attempt; false when Temporal does not take it. */
  async travel(row: AttemptedDelivery, made: TravellingOutcome): Promise<boolean> {
    const { start, ledger, logger, dashboardUrl } = this.#options;
    const { delivery } = row;
    try {
      await start(deliveryStart({ ...delivery, ...delivery.progress }, { unrecorded: made }, dashboardUrl));
      ledger.done(row);
      return true;
    } catch (error) {
      const lastError = describeTemporalError(error);
      logger.warn({ deliveryId: delivery.deliveryId, lastError }, 'delivery.outcome_not_taken');
      return false;
    }
  }

  /** For how many more there is room, whatever they turn out to be. */
  room(): number {
    return Math.max(Math.min(MOST_OPEN - this.#open.size, MOST_ENDED - this.#endedCount()), 0);
  }

  /** Starts what waits; what Temporal does not take now stays in the outbox, and is free when the lease ends. */
  async settled(): Promise<void> {
    this.#stopping.abort();
    while (this.#starting.size > 0) await Promise.all(this.#starting);
    await this.#recording;
  }

  #startOpen(): void {
    while (this.#starting.size < CONCURRENCY) {
      const next = this.#open.next();
      if (!next) return;
      const end = this.#startNext(next).finally(() => {
        this.#starting.delete(end);
        this.#startOpen();
      });
      this.#starting.add(end);
    }
  }

  async #startNext(next: RecordedDelivery): Promise<void> {
    const isTaken = await this.#startOwn(next);
    if (isTaken || !this.#leavesOthers()) return;
    for (let row = this.#open.next(); row; row = this.#open.next()) this.#leaveInOutbox(row);
  }

  /** When Temporal has not taken one: a worker that stops leaves the others to the next one, and one that does not reach it to whoever does. */
  #leavesOthers(): boolean {
    return this.#options.outage.lasts || this.#stopping.signal.aborted;
  }

  /** Whether Temporal took it. */
  async #startOwn(row: RecordedDelivery): Promise<boolean> {
    const { start, ledger, dashboardUrl } = this.#options;
    const { delivery, progress } = row;
    try {
      await start(deliveryStart({ ...delivery, ...progress }, { first: reportOn(progress) }, dashboardUrl));
      ledger.done(row);
      return true;
    } catch (error) {
      this.#putBack([row], error);
      return false;
    }
  }

  async #recordEnded(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#endedCount() > 0) {
      await pause(RECORD_EVERY_MS, signal);
      const own = this.#ended;
      this.#ended = [];
      await this.#startAll(own.map((row) => ({ rows: [row], start: () => this.#startOwn(row) })));
      for (const bursts of this.#dueBursts(signal.aborted)) await this.#startAll(bursts);
    }
    this.#recording = null;
  }

  /** As many as the rate allows now; all when the worker stops. */
  *#dueBursts(isLast: boolean): Generator<Start[]> {
    const asStart = (burst: Burst) => ({ rows: burst.deliveries, start: () => this.#startBurst(burst) });
    if (isLast) yield this.#bursts.takeAll().map(asStart);
    while (this.#bursts.isReady(performance.now()) && this.#options.startRate.takeBurst()) {
      const burst = this.#bursts.take(performance.now());
      if (burst) yield [asStart(burst)];
    }
  }

  /** One after the other; once Temporal has not taken one, the others may be left to another worker. */
  async #startAll(starts: readonly Start[]): Promise<void> {
    let isTaken = true;
    for (const { rows, start } of starts) {
      if (isTaken || !this.#leavesOthers()) isTaken = await start();
      else rows.forEach((row) => this.#leaveInOutbox(row));
    }
  }

  /** Whether Temporal took it. */
  async #startBurst(burst: Burst): Promise<boolean> {
    const { start, database, ledger } = this.#options;
    const { workflowId, deliveries } = burst;
    const reports = deliveries.map(({ delivery, progress }) => ({ ...delivery, report: reportOn(progress) }));
    const unnamed = deliveries.flatMap(({ progress, delivery }) =>
      progress.workflowId === workflowId ? [] : delivery.deliveryId,
    );
    try {
      await start(burstStart(burst, reports));
      if (unnamed.length > 0) await nameBurst(database.outbox(), workflowId, unnamed);
      for (const row of deliveries) ledger.done(row);
      return true;
    } catch (error) {
      this.#putBack(deliveries, error);
      return false;
    }
  }

  #putBack(rows: readonly RecordedDelivery[], error: unknown): void {
    const { ledger, outage, logger } = this.#options;
    if (isTemporalAway(error)) outage.noticed();
    const lastError = describeTemporalError(error);
    logger.warn({ kind: 'startDelivery', rows: rows.length, lastError }, 'outbox.failed');
    for (const row of rows) ledger.failed(row, lastError, { attempted: true });
  }
}

interface Start {
  rows: readonly RecordedDelivery[];
  /** Returns whether Temporal took it. */
  start: () => Promise<boolean>;
}
