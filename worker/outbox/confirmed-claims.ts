import type { Logger } from '../../adapters/logs/logger.ts';
import { momentNow, type Moment } from '../../adapters/timing/moment.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { confirmClaims, type ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { Gathered } from './gathered.ts';

const ASK_AGAIN_AFTER_MS = 500;

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
export class ConfirmedClaims extends Gathered<Asked> {
  readonly #options: { database: Database; logger: Logger };

  constructor(options: { database: Database; logger: Logger }) {
    super({ atOnce: 256, restMs: ASK_AGAIN_AFTER_MS });
    this.#options = options;
  }

  /** Null when the row is somebody else's by now. Waits while the database is away. */
  confirm(row: ClaimedDelivery): Promise<ConfirmedClaim | null> {
    return new Promise((answer) => this.add({ row, answer }));
  }

  /** At the end, what the database does not confirm is left to whoever claims it next. */
  protected override async take(asked: readonly Asked[], isLast: boolean): Promise<readonly Asked[]> {
    const askedAt = momentNow();
    try {
      const found = await confirmClaims(
        this.#options.database.outbox(),
        asked.map(({ row }) => row),
      );
      const byId = new Map(found.map((row) => [row.outboxId, row]));
      for (const { row, answer } of asked) {
        const same = byId.get(row.outboxId);
        answer(same?.claimedBy === row.claimedBy ? { found: same, askedAt } : null);
      }
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'outbox.claims_unconfirmed');
      if (!isLast) return asked;
      for (const { answer } of asked) answer(null);
    }
    return [];
  }
}
