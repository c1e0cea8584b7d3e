import type { Logger } from '../../adapters/logs/logger.ts';
import { backoffDelay } from '../../adapters/timing/pause.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import { deleteClaimed, putClaimedBack, type PutBack } from '../../db/outbox/settle-messages.ts';
import { BatchWriter } from './batch-writer.ts';

/** How long to wait before a failed row is retried. The wait grows with each failure. */
export function restSeconds(failuresBefore: number): number {
  return backoffDelay(failuresBefore, { first: 1, longest: 30 });
}

interface Options {
  database: Pick<Database, 'outbox'>;
  logger: Logger;
  /** Called after rows were deleted: the next rows of their keys can be claimed. */
  onDeleted: () => void;
}

/** A row to acknowledge: it is finished, unless it is put back. */
interface Acknowledged {
  row: ClaimedRow;
  putBack?: PutBack;
}

/**
 * Deletes finished outbox rows and puts others back. While the database is unavailable, this is not possible, and the
 * rows are processed again after the lease ends.
 */
export class Acknowledgements extends BatchWriter<Acknowledged> {
  protected override readonly largestBatch = 10_000;
  protected override readonly retryAfterMs = 500;
  readonly #options: Options;

  constructor(options: Options) {
    super();
    this.#options = options;
  }

  done(row: ClaimedRow): void {
    this.add({ row });
  }

  /**
   * Releases a row, so that it can be claimed again immediately. @param attempted whether its delivery only needs its
   * workflow
   */
  release(row: ClaimedRow, { attempted }: Pick<PutBack, 'attempted'>): void {
    this.add({ row, putBack: { delaySeconds: 0, lastError: null, attempted } });
  }

  failed(row: ClaimedRow, lastError: string): void {
    this.add({ row, putBack: { delaySeconds: restSeconds(row.failures), lastError, attempted: false } });
  }

  protected override async write(rows: readonly Acknowledged[]): Promise<readonly Acknowledged[]> {
    const { database, logger, onDeleted } = this.#options;
    const done = rows.flatMap(({ row, putBack }) => (putBack ? [] : row));
    const back = rows.flatMap(({ row: { outboxId, claimedBy }, putBack }) =>
      putBack ? { outboxId, claimedBy, ...putBack } : [],
    );
    try {
      if (done.length > 0) await deleteClaimed(database.outbox(), done);
      if (done.length > 0) onDeleted();
      if (back.length > 0) await putClaimedBack(database.outbox(), back);
      return [];
    } catch (error) {
      logger.warn({ err: error }, 'outbox.settle_failed');
      return rows;
    }
  }
}
