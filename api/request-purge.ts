import type { Logger } from '../adapters/logger.ts';
import { purgeIdempotencyRecords } from '../db/requests/idempotency-records.ts';
import type { Database } from '../db/connection/open-database.ts';
import { purgeRequestWindows } from '../db/requests/rate-limit.ts';
import { LONGEST_WINDOW_SECONDS } from '../domain/rate-limits.ts';

const EVERY_MS = 60_000;
const BATCH = 500;
/** Bounds one round; what remains waits for the next. */
const MOST_BATCHES = 20;

/**
 * Once a minute removes expired idempotency records and the windows of idle keys and addresses, in small batches. Every
 * API process does so; they skip the rows of one another.
 */
export function startRequestPurge(database: Database, logger: Logger): AsyncDisposable {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round
      .then(() => purgeRequests(database))
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'requests.purge_failed');
      });
  }, EVERY_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await round;
    },
  };
}

async function purgeRequests(database: Database): Promise<void> {
  await inBatches(() => purgeIdempotencyRecords(database.em(), BATCH));
  await inBatches(() => purgeRequestWindows(database.em(), LONGEST_WINDOW_SECONDS, BATCH));
}

async function inBatches(purge: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await purge()) < BATCH) return;
  }
}
