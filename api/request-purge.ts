import { purgeIdempotencyRecords } from '../db/requests/idempotency-records.ts';
import type { Database } from '../db/connection/open-database.ts';
import { purgeRequestWindows } from '../db/requests/rate-limit.ts';
import { LONGEST_WINDOW_SECONDS } from '../domain/rate-limits.ts';

const BATCH = 500;
/** Bounds one round; what remains waits for the next. */
const MOST_BATCHES = 20;

/** Removes expired idempotency records and the windows of idle keys and addresses, in small batches, beside other processes. */
export async function purgeRequests(database: Database): Promise<void> {
  await inBatches(() => purgeIdempotencyRecords(database.em(), BATCH));
  await inBatches(() => purgeRequestWindows(database.em(), LONGEST_WINDOW_SECONDS, BATCH));
}

async function inBatches(purge: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await purge()) < BATCH) return;
  }
}
