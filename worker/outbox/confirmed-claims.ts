import { momentNow, type Moment } from '../../adapters/timing/moment.ts';
import { confirmClaims, type ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { Gathered } from './gathered.ts';
import type { DispatcherParts } from './outbox-dispatcher.ts';

/** What a claim found, and when the database was asked. */
export interface ConfirmedClaim {
  found: ClaimedDelivery;
  askedAt: Moment;
}

interface Asked {
  row: ClaimedDelivery;
  answer: (confirmed: ConfirmedClaim | null) => void;
}

/** Asks for claims that have waited whether they still hold, and for their deliveries as they are now. */
export class ConfirmedClaims extends Gathered<Asked, Pick<DispatcherParts, 'database' | 'logger'>> {
  protected override readonly atOnce = 256;
  protected override readonly restMs = 500;

  /** Null when the row is somebody else's by now. Waits while the database is away. */
  confirm(row: ClaimedDelivery): Promise<ConfirmedClaim | null> {
    return new Promise((answer) => this.add({ row, answer }));
  }

  /** At the end, what the database does not confirm is left to whoever claims it next. */
  protected override async take(asked: readonly Asked[], isLast: boolean): Promise<readonly Asked[]> {
    const askedAt = momentNow();
    try {
      const found = await confirmClaims(
        this.options.database.outbox(),
        asked.map(({ row }) => row),
      );
      const byId = new Map(found.map((row) => [row.outboxId, row]));
      for (const { row, answer } of asked) {
        const same = byId.get(row.outboxId);
        answer(same?.claimedBy === row.claimedBy ? { found: same, askedAt } : null);
      }
    } catch (error) {
      this.options.logger.warn({ err: error }, 'outbox.claims_unconfirmed');
      if (!isLast) return asked;
      for (const { answer } of asked) answer(null);
    }
    return [];
  }
}
