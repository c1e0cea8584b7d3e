import { setTimeout as delay } from 'node:timers/promises';

/** In so long a proxy or an orchestrator has learned that nothing is to be sent here any more. */
const LEAVE_MS = 5000;

/** What a process that answers requests does before it closes: it says that it ends, and serves what still comes. */
export async function leave(leaving: AbortController): Promise<void> {
  leaving.abort();
  await delay(LEAVE_MS);
}
