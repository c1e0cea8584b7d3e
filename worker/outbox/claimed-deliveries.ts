import { isEndpointOff } from '../../sending/send-attempt.ts';
import { safeFacts } from '../../adapters/logs/describe-error.ts';
import { pause } from '../../adapters/timing/pause.ts';
import { claimAttempted, type ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import { skipDeliveries } from '../../db/webhooks/deliveries/delivery-steps.ts';
import type { DeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';
import { isBurstWorkflowId } from '../../domain/temporal-names.ts';
import { isFinal } from '../../domain/webhooks/delivery-status.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';
import type { AttemptedDelivery } from './recorded-delivery.ts';
import { POLL_EVERY_MS } from './wake-up.ts';

/** Though others fill all room: clinics take turns in it. */
const LEAST_AT_ONCE = 16;

type Options = Pick<DispatcherParts, 'database' | 'lease' | 'ledger' | 'outage' | 'workflows'>;

/** Decides by the rows what a claimed delivery needs: its first attempt, its workflow or nothing any more. */
export class ClaimedDeliveries {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns the delivery when its first attempt is to be made. */
  receive(row: ClaimedDelivery): AttemptedDelivery | null {
    const { delivery } = row;
    if (!delivery) {
      this.#options.ledger.done(row);
      return null;
    }
    const found = { ...row, delivery };
    const { status, attemptCount } = delivery.progress;
    if (!isFinal(status) && attemptCount === 0 && !isEndpointOff(delivery)) return found;
    if (!isFinal(status) && attemptCount === 0) void this.#skip(found);
    else this.follow(found, delivery.progress, this.#recordOf(delivery));
    return null;
  }

  /**
   * Where a delivery goes after its first attempt was recorded.
   * @param progress null: its row is gone
   * @param burst the record of a delivery that has ended: a burst, or null for a workflow of its own
   */
  follow(row: AttemptedDelivery, progress: DeliveryProgress | null, burst: string | null): void {
    const { ledger, workflows } = this.#options;
    if (!progress || progress.status === 'skipped') ledger.done(row);
    else if (isFinal(progress.status)) workflows.keepRecord(row, progress, burst);
    else workflows.goOn(row, progress);
  }

  /** A row that names a burst was recorded by a worker that did not start it; another burst takes it. */
  #recordOf({ tenantId, progress: { status, workflowId } }: DeliveryToAttempt): string | null {
    if (!isFinal(status)) return null;
    return isBurstWorkflowId(workflowId) ? workflowId : this.#options.workflows.planRecord(tenantId);
  }

  /** Looks, once a second, for deliveries whose workflow could not be started. */
  async runAttempted(signal: AbortSignal): Promise<void> {
    const { database, lease, outage, workflows } = this.#options;
    for (; !signal.aborted; await outage.over()) {
      const room = workflows.room();
      const limit = Math.max(room, LEAST_AT_ONCE);
      const rows = await lease.claim((workerId) => claimAttempted(database.outbox(), workerId, limit));
      for (const row of rows) this.receive(row);
      if (rows.length < limit || room < limit) await pause(POLL_EVERY_MS, signal);
    }
  }

  /** Waits for whoever holds the delivery, and so on none of the outbox's connections: its lease needs them. */
  async #skip(row: AttemptedDelivery): Promise<void> {
    const { database, ledger } = this.#options;
    try {
      await skipDeliveries(database.em(), [row.delivery.deliveryId]);
      ledger.done(row);
    } catch (error) {
      ledger.failed(row, safeFacts(error), { attempted: false });
    }
  }
}
