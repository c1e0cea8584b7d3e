import type { Database } from '../../db/connection/open-database.ts';
import { timingsOf } from '../../db/connection/timings-of.ts';
import { markUnreadFailing, skipQueuedBefore } from '../../db/webhooks/queue/unread-queues.ts';
import { inBatches } from '../in-batches.ts';
import { announceEndpoint, healthContext } from './announce-endpoint.ts';

/** docs/webhooks.md#fetch-events-from-a-queue */
export const QUEUED_FOR_DAYS = 30;
const DAY_MS = 86_400_000;
/** Deliveries that one statement ends. */
const BATCH = 500;

/** Marks pull endpoints that are not read as failing, and ends what has waited too long. Several processes may do so. */
export async function lookAfterQueues(database: Pick<Database, 'em' | 'write'>, now: Date): Promise<void> {
  await database.write(async (em) => {
    const { endpointFailingGraceSeconds } = timingsOf(em);
    for (const endpoint of await markUnreadFailing(em, now, endpointFailingGraceSeconds))
      await announceEndpoint(em, 'endpoint.failing', endpoint, healthContext(endpoint.id, now));
  });
  const before = new Date(now.getTime() - QUEUED_FOR_DAYS * DAY_MS);
  await inBatches(BATCH, (size) => skipQueuedBefore(database.em(), before, size));
}
