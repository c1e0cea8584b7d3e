import type { Database } from '../../db/connection/open-database.ts';
import { timingsOf } from '../../db/connection/timings-of.ts';
import {
  markUnreadFailing,
  SKIPPED_QUEUED_AT_ONCE,
  skipQueuedBefore,
} from '../../db/webhooks/queue/unread-queues.ts';
import { announceEndpoint, healthContext } from './announce-endpoint.ts';

/** docs/webhooks.md#fetch-events-from-a-queue */
export const QUEUED_FOR_DAYS = 30;
const DAY_MS = 86_400_000;
/** Per round; the rest waits for the next one. */
const MAX_BATCHES = 20;

/** Marks pull endpoints that are not read as failing, and ends what has waited too long. Several processes may do so. */
export async function lookAfterQueues(database: Pick<Database, 'em' | 'write'>, now: Date): Promise<void> {
  await database.write(async (em) => {
    const { endpointFailingGraceSeconds } = timingsOf(em);
    for (const endpoint of await markUnreadFailing(em, now, endpointFailingGraceSeconds))
      await announceEndpoint(em, 'endpoint.failing', endpoint, healthContext(endpoint.id, now));
  });
  const before = new Date(now.getTime() - QUEUED_FOR_DAYS * DAY_MS);
  for (let batch = 0; batch < MAX_BATCHES; batch += 1)
    if ((await skipQueuedBefore(database.em(), before)) < SKIPPED_QUEUED_AT_ONCE) return;
}
