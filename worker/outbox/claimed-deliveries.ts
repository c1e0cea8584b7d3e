import { isEndpointOff } from '../../sending/send-attempt.ts';
import { safeFacts } from '../../adapters/logs/describe-error.ts';
import { pause } from '../../adapters/timing/pause.ts';
import { claimAttempted, type ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import { skipDeliveries } from '../../db/webhooks/deliveries/delivery-steps.ts';
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
    else this.follow(found, delivery.progress);
    return null;
  }

  /** Where a delivery goes after its first attempt was recorded; null: it is gone. */
  follow(row: AttemptedDelivery, progress: DeliveryProgress | null): void {
    const { ledger, workflows } = this.#options;
    if (!progress || progress.status === 'skipped') ledger.done(row);
    else if (isFinal(progress.status)) workflows.keepRecord(row, progress);
    else workflows.goOn(row, progress);
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
