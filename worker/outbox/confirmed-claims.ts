import type { Logger } from '../../adapters/logger.ts';
import { momentNow, msSince, type Moment } from '../../adapters/moment.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { confirmClaims, type ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import { Gathered } from './gathered.ts';

/**
 * A claim that was made or confirmed so lately holds, and the endpoint is where it was then. Well within the second after which
 * nobody is sent anything who has switched the endpoint off: a connection may have to be made. docs/webhooks.md#endpoints
 */
const HOLDS_FOR_MS = 600;
const ASK_AGAIN_AFTER_MS = 500;

/** What a claim found, and when the database was asked. */
export interface ConfirmedClaim {
  found: ClaimedDelivery;
  askedAt: Moment;
}

/** Whether the attempt may begin by what was found: not after a wait, nor after this process or its machine stood still. */
export function isFresh({ askedAt }: Pick<ConfirmedClaim, 'askedAt'>): boolean {
  return msSince(askedAt) <= HOLDS_FOR_MS;
}

interface Asked {
  row: ClaimedDelivery;
  answer: (confirmed: ConfirmedClaim | null) => void;
}

/** Asks for claims that have waited whether they still hold, and for their deliveries as they are now. */
export class ConfirmedClaims {
  readonly #options: { database: Database; logger: Logger };
  readonly #asked = new Gathered<Asked>({
    take: (asked, isLast) => this.#confirm(asked, isLast),
    atOnce: 256,
    restMs: ASK_AGAIN_AFTER_MS,
  });

  constructor(options: { database: Database; logger: Logger }) {
    this.#options = options;
  }

  /** Null when the row is somebody else's by now. Waits while the database is away. */
  confirm(row: ClaimedDelivery): Promise<ConfirmedClaim | null> {
    return new Promise((answer) => this.#asked.add({ row, answer }));
  }

  /** What the database does not confirm now is left to whoever claims it next. */
  settled(): Promise<void> {
    return this.#asked.settled();
  }

  async #confirm(asked: readonly Asked[], isLast: boolean): Promise<readonly Asked[]> {
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
