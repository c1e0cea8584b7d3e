import { purgeHolds } from '../db/appointments/holds/release-holds.ts';
import { purgeSelfBookings } from '../db/appointments/self-booked.ts';
import { purgeIdempotencyRecords } from '../db/requests/idempotency-records.ts';
import { addUpUsage } from '../db/clinic/stored-usage.ts';
import { purgeRequestLog } from '../db/requests/request-log.ts';
import type { Database } from '../db/connection/open-database.ts';
import { purgeRequestWindows } from '../db/requests/rate-limit.ts';
import { LONGEST_WINDOW_SECONDS } from '../domain/rate-limits.ts';

const BATCH = 500;
/** Rows without a body, of which there are many more. */
const LOG_BATCH = 5000;
/** Bounds one round; what remains waits for the next. */
const MOST_BATCHES = 20;

/** Removes expired idempotency records, the windows of idle keys and addresses, holds that ended yesterday, where patients booked from yesterday, and requests of a week ago, in small batches, beside other processes. */
export async function purgeRequests(database: Database, now: Date): Promise<void> {
  await inBatches(BATCH, (size) => purgeIdempotencyRecords(database.em(), size));
  await inBatches(BATCH, (size) => purgeRequestWindows(database.em(), LONGEST_WINDOW_SECONDS, size));
  await inBatches(BATCH, (size) => purgeHolds(database.em(), size));
  await inBatches(BATCH, (size) => purgeSelfBookings(database.em(), size));
  await inBatches(LOG_BATCH, (size) => purgeRequestLog(database.em(), now, size));
}

/** Adds up what the clinics have stored since: docs/limits.md#stored */
export function addUpStored(database: Database): Promise<void> {
  return inBatches(LOG_BATCH, (size) => addUpUsage(database.em(), size));
}

async function inBatches(size: number, purge: (size: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await purge(size)) < size) return;
  }
}
