import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../adapters/logger.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Repeats `reach` until it succeeds, saying each time what is away; gives up at `signal`. */
export async function untilReached<T>(
  name: string,
  reach: () => Promise<T>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await reach();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ err: error, reason: error instanceof Error ? error.name : 'unknown' }, `${name}.away`);
    }
    await delay(pauseMs, undefined, { signal });
  }
}
