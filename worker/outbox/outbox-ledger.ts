import type { Logger } from '../../adapters/logs/logger.ts';
import { growingPause } from '../../adapters/timing/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import { deleteClaimed, putClaimedBack, type PutBack } from '../../db/outbox/settle-messages.ts';
import { Gathered } from './gathered.ts';

/** How long a row rests that has failed; longer after each failure. */
const REST_SECONDS = { first: 1, longest: 30 };

export interface OutboxLedgerOptions {
  database: Database;
  logger: Logger;
  /** Rows are gone: the next ones of their keys may be claimed. */
  onDeleted: () => void;
}

/** What became of a claimed row; it is done unless it is put back. */
interface Settled {
  row: ClaimedRow;
  putBack?: PutBack;
}

/** Writes down what became of claimed rows. What a database that is away does not take is done again when the lease has run out. */
export class OutboxLedger extends Gathered<Settled, OutboxLedgerOptions> {
  protected override readonly atOnce = 10_000;
  protected override readonly restMs = 500;

  done(row: ClaimedRow): void {
    this.add({ row });
  }

  putBack(row: ClaimedRow, putBack: PutBack): void {
    this.add({ row, putBack });
  }

  failed(row: ClaimedRow, lastError: string, { attempted }: Pick<PutBack, 'attempted'>): void {
    this.putBack(row, { delaySeconds: growingPause(row.failures, REST_SECONDS), lastError, attempted });
  }

  /** Returns what could not be written. */
  protected override async take(settled: readonly Settled[]): Promise<readonly Settled[]> {
    const { database, logger, onDeleted } = this.options;
    const done = settled.flatMap(({ row, putBack }) => (putBack ? [] : row));
    const back = settled.flatMap(({ row: { outboxId, claimedBy }, putBack }) =>
      putBack ? { outboxId, claimedBy, ...putBack } : [],
    );
    try {
      if (done.length > 0) await deleteClaimed(database.outbox(), done);
      if (done.length > 0) onDeleted();
      if (back.length > 0) await putClaimedBack(database.outbox(), back);
      return [];
    } catch (error) {
      logger.warn({ err: error }, 'outbox.settle_failed');
      return settled;
    }
  }
}
