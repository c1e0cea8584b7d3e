import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../adapters/logger.ts';
import type { WorkerLease } from './worker-lease.ts';

const TRY_AGAIN_AFTER_MS = 1000;

/** Claims rows while the lease is sure; none while the database is away, and then not at once. */
export async function claimRows<Row>(
  { lease, logger }: { lease: WorkerLease; logger: Logger },
  claim: () => Promise<Row[]>,
): Promise<Row[]> {
  if (!lease.isSure()) return [];
  try {
    return await claim();
  } catch (error) {
    logger.warn({ err: error }, 'outbox.claim_failed');
    await delay(TRY_AGAIN_AFTER_MS);
    return [];
  }
}
